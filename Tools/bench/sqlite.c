/* What SQLite takes to store the same rows with a full-text index over the same text.
 *
 * usage: sqlite DATABASE ROWS.tsv BATCH      prints the seconds
 *
 * The way its documentation recommends for bulk work that must be durable: write-ahead log,
 * synchronous=FULL, prepared statements, BATCH rows a transaction, an FTS5 table that takes its
 * content from the row table. The checkpoint at the end is part of the time. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *database;

static void check(int status) {
  if (status == SQLITE_OK || status == SQLITE_DONE || status == SQLITE_ROW) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
  exit(74);
}

static void run(const char *sql) { check(sqlite3_exec(database, sql, 0, 0, 0)); }

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, 0));
  return statement;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int count, char **arguments) {
  FILE *rows = count == 4 ? fopen(arguments[2], "r") : 0;
  if (!rows) {
    fprintf(stderr, "usage: sqlite DATABASE ROWS.tsv BATCH\n");
    return 64;
  }
  long batch = atol(arguments[3]);
  double start = now();
  check(sqlite3_open(arguments[1], &database));
  run("pragma journal_mode=wal");
  run("pragma synchronous=full");
  run("pragma cache_size=-65536");
  run("create table event(sequence integer primary key, item text, domain text, time integer,"
      " title text, body text)");
  run("create virtual table text using fts5(title, body, content='event',"
      " content_rowid='sequence')");
  sqlite3_stmt *event = prepare("insert into event values(?,?,?,?,?,?)");
  sqlite3_stmt *text = prepare("insert into text(rowid, title, body) values(?,?,?)");
  char *line = 0;
  size_t capacity = 0;
  long row = 0;
  while (getline(&line, &capacity, rows) > 0) {
    if (row % batch == 0) run(row ? "commit; begin immediate" : "begin immediate");
    row++;
    char *rest = line, *field[5];
    for (int i = 0; i < 5; i++) field[i] = strsep(&rest, "\t\n");
    sqlite3_bind_int64(event, 1, row);
    sqlite3_bind_int64(text, 1, row);
    for (int i = 0; i < 5; i++) {
      if (i == 2) sqlite3_bind_int64(event, 4, atol(field[2]));
      else sqlite3_bind_text(event, i + 2, field[i], -1, SQLITE_STATIC);
    }
    sqlite3_bind_text(text, 2, field[3], -1, SQLITE_STATIC);
    sqlite3_bind_text(text, 3, field[4], -1, SQLITE_STATIC);
    check(sqlite3_step(event));
    check(sqlite3_step(text));
    sqlite3_reset(event);
    sqlite3_reset(text);
  }
  if (row) run("commit");
  run("pragma wal_checkpoint(truncate)");
  sqlite3_close(database);
  printf("%.3f\n", now() - start);
  return 0;
}
