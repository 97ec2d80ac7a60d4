#ifndef CAIRN_CSQLITE_SHIM_H
#define CAIRN_CSQLITE_SHIM_H

#if !__has_include(<sqlite3.h>)
#error "<sqlite3.h> is missing: apt-get install libsqlite3-dev"
#endif
#include <sqlite3.h>
#include <stddef.h>

#if defined(__linux__)
// Copies inside the kernel, sharing blocks where the file system can; the C library hides it
// without _GNU_SOURCE, so it is declared by hand under a name of ours.
long cairn_copy_file_range(int source, long long *from, int target, long long *to, size_t count,
                           unsigned int flags) __asm__("copy_file_range");
#endif

// `sqlite3_db_config` is variadic, which Swift cannot call. Foreign schemas are not trusted: no
// writes to the schema, no functions with side effects in views, triggers and generated columns.
static inline int cairn_sqlite_distrust(sqlite3 *database) {
  int status = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (status == SQLITE_OK)
    status = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  if (status == SQLITE_OK)
    status = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  if (status == SQLITE_OK)
    status = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
  return status;
}

#endif
