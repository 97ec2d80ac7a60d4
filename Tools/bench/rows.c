/* Writes the rows that `make bench` feeds to both engines: events of about 200 bytes as NDJSON
 * for cairn, and the same rows as tab-separated text for SQLite.
 *
 * usage: rows COUNT ITEMS EVENTS.ndjson ROWS.tsv
 *
 * Words are drawn from 50,000 made-up ones with frequencies that fall with their rank (Zipf's
 * law, as in real text), from a fixed seed: every run gets the same rows. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 50000 };
static char word[WORDS][16];
static double cumulative[WORDS];
static uint64_t state = 20261121;

static uint64_t next(void) {
  uint64_t mixed = (state += 0x9E3779B97F4A7C15ull);
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
  return mixed ^ (mixed >> 31);
}

static void make_words(void) {
  static const char *onset[] = {"b", "c", "d", "f", "g", "h", "l", "m", "n", "p",
                                "r", "s", "t", "v", "st", "tr", "pl", "gr", "k", "w"};
  static const char *vowel[] = {"a", "e", "i", "o", "u"};
  double sum = 0;
  for (int i = 0; i < WORDS; i++) {
    /* The rank in base 100, a syllable a digit: all words differ. */
    word[i][0] = 0;
    int rank = i;
    do {
      int syllable = rank % 100;
      strcat(word[i], onset[syllable % 20]);
      strcat(word[i], vowel[syllable / 20]);
      rank /= 100;
    } while (rank > 0);
    sum += 1.0 / (i + 2.7);
    cumulative[i] = sum;
  }
  for (int i = 0; i < WORDS; i++) cumulative[i] /= sum;
}

static const char *draw(void) {
  double wanted = (double)(next() >> 11) / 9007199254740992.0;
  int low = 0, high = WORDS - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (cumulative[middle] < wanted) low = middle + 1; else high = middle;
  }
  return word[low];
}

static void text(char *into, int words) {
  *into = 0;
  for (int i = 0; i < words; i++) {
    if (i) *into++ = ' ';
    into = stpcpy(into, draw());
  }
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: rows COUNT ITEMS EVENTS.ndjson ROWS.tsv\n");
    return 64;
  }
  long rows = atol(arguments[1]), items = atol(arguments[2]);
  FILE *events = fopen(arguments[3], "w"), *table = fopen(arguments[4], "w");
  if (!events || !table) {
    perror("rows: cannot write");
    return 74;
  }
  make_words();
  char title[256], body[512];
  for (long row = 0; row < rows; row++) {
    long item = row % items;
    long time = 1700000000 + row;
    text(title, 4);
    text(body, 11);
    fprintf(events,
            "{\"kind\":\"index\",\"item\":\"item-%ld\",\"domain\":\"bench.d%ld\",\"time\":%ld,"
            "\"attributes\":{\"title\":\"%s\",\"contentDescription\":\"%s\"}}\n",
            item, item % 100, time, title, body);
    fprintf(table, "item-%ld\tbench.d%ld\t%ld\t%s\t%s\n", item, item % 100, time, title, body);
  }
  return fclose(events) | fclose(table) ? 74 : 0;
}
