#ifndef CAIRN_CPAGEGUARD_H
#define CAIRN_CPAGEGUARD_H

// Reads of LMDB that come back with MDB_CORRUPTED where a damaged page would end the process.
//
// LMDB follows the numbers that it finds in a page, asserts what it expects there, and lends rows
// of any length. A read holds no lock and changes nothing that outlives it, so that one which
// faults can be left where it is; a write cannot, and still ends the process.
//
// Arguments are those of the functions of `lmdb.h`. Until `cairn_guard_begin` was called they are
// called as they are.

// Takes the signals SIGSEGV and SIGBUS; whoever had them gets those that are no read's.
void cairn_guard_begin(void);

// Sees to it that a failed assertion of an environment leaves a guarded read as well.
void cairn_guard_environment(void *environment);

int cairn_guarded_get(void *txn, unsigned int table, void *key, void *data);
int cairn_guarded_move(void *cursor, void *key, void *data, int operation);
int cairn_guarded_open(void *txn, unsigned int table, void **cursor);
int cairn_guarded_stat(void *txn, unsigned int table, void *statistics);

#endif
