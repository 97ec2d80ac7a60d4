#include "CPageGuard.h"

#include <lmdb.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

static volatile sig_atomic_t is_on;
static struct sigaction earlier[2];
// Where the read of this thread comes back that is under way.
static __thread jmp_buf *volatile place;

static void leave(void) {
  jmp_buf *armed = place;
  if (armed == NULL) return;
  place = NULL;
  _longjmp(*armed, 1);
}

static void fault(int number) {
  leave();
  sigaction(number, &earlier[number == SIGBUS], NULL);
  raise(number);
}

static void take_signals(void) {
  // A handler that is left by a jump must not leave its signal blocked.
  struct sigaction action = {.sa_handler = fault, .sa_flags = SA_NODEFER};
  sigaction(SIGSEGV, &action, &earlier[0]);
  sigaction(SIGBUS, &action, &earlier[1]);
  is_on = 1;
}

void cairn_guard_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, take_signals);
}

static void assertion_failed(MDB_env *environment, const char *text) {
  (void)environment;
  (void)text;
  leave();
}

void cairn_guard_environment(void *environment) {
  mdb_env_set_assert(environment, assertion_failed);
}

// A damaged length leads beyond the file: what was lent is looked at here, in place of by who
// gets it. A sound row lies in one page, which was read, or in a run of pages of its own.
static void touch(const MDB_val *value) {
  const volatile char *bytes = value->mv_data;
  if (value->mv_size > 0) (void)bytes[0];
  size_t at = 4096 - ((uintptr_t)bytes & 4095);
  for (; at < value->mv_size; at += 4096) (void)bytes[at];
}

#define GUARDED(call)                      \
  jmp_buf here;                            \
  if (_setjmp(here)) return MDB_CORRUPTED; \
  place = &here;                           \
  int status = (call)

int cairn_guarded_get(void *txn, unsigned int table, void *key, void *data) {
  if (!is_on) return mdb_get(txn, table, key, data);
  GUARDED(mdb_get(txn, table, key, data));
  if (status == MDB_SUCCESS) touch(data);
  place = NULL;
  return status;
}

int cairn_guarded_move(void *cursor, void *key, void *data, int operation) {
  if (!is_on) return mdb_cursor_get(cursor, key, data, (MDB_cursor_op)operation);
  GUARDED(mdb_cursor_get(cursor, key, data, (MDB_cursor_op)operation));
  if (status == MDB_SUCCESS) {
    touch(key);
    touch(data);
  }
  place = NULL;
  return status;
}

int cairn_guarded_open(void *txn, unsigned int table, void **cursor) {
  if (!is_on) return mdb_cursor_open(txn, table, (MDB_cursor **)cursor);
  GUARDED(mdb_cursor_open(txn, table, (MDB_cursor **)cursor));
  place = NULL;
  return status;
}

int cairn_guarded_stat(void *txn, unsigned int table, void *statistics) {
  if (!is_on) return mdb_stat(txn, table, statistics);
  GUARDED(mdb_stat(txn, table, statistics));
  place = NULL;
  return status;
}
