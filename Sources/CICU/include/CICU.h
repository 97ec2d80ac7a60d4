#ifndef CAIRN_CICU_H
#define CAIRN_CICU_H

#include <stdint.h>

/// One of ICU's normal forms.
typedef struct cairn_normalizer cairn_normalizer;

/// A walk along the words of a text.
typedef struct cairn_words cairn_words;

/// Scripts that analysis treats in ways of their own; the numbers are ICU's.
enum {
  CAIRN_SCRIPT_COMMON = 0,
  CAIRN_SCRIPT_INHERITED = 1,
  CAIRN_SCRIPT_ARABIC = 2,
  CAIRN_SCRIPT_ARMENIAN = 3,
  CAIRN_SCRIPT_BOPOMOFO = 5,
  CAIRN_SCRIPT_COPTIC = 7,
  CAIRN_SCRIPT_CYRILLIC = 8,
  CAIRN_SCRIPT_GREEK = 14,
  CAIRN_SCRIPT_HAN = 17,
  CAIRN_SCRIPT_HANGUL = 18,
  CAIRN_SCRIPT_HEBREW = 19,
  CAIRN_SCRIPT_HIRAGANA = 20,
  CAIRN_SCRIPT_KATAKANA = 22,
  CAIRN_SCRIPT_KHMER = 23,
  CAIRN_SCRIPT_LAO = 24,
  CAIRN_SCRIPT_LATIN = 25,
  CAIRN_SCRIPT_MYANMAR = 28,
  CAIRN_SCRIPT_THAI = 38,
  CAIRN_SCRIPT_YI = 41,
  CAIRN_SCRIPT_GLAGOLITIC = 56,
  CAIRN_SCRIPT_NUSHU = 150,
  CAIRN_SCRIPT_TANGUT = 154,
};

/// Release of ICU and of Unicode: major, minor, … as ICU fills them, 4 bytes each.
void cairn_icu_version(uint8_t icu[4], uint8_t unicode[4]);

/// Shared, immutable; NULL when the data file is missing.
const cairn_normalizer *cairn_nfkc_casefold(void);

/// Shared, immutable; NULL when the data file is missing.
const cairn_normalizer *cairn_nfc(void);

/// Shared, immutable; NULL when the data file is missing.
const cairn_normalizer *cairn_nfd(void);

/// UTF-16 units written, or -1 when they do not fit or ICU fails.
int32_t cairn_normalize(
    const cairn_normalizer *normalizer, const uint16_t *source, int32_t count,
    uint16_t *target, int32_t capacity);

/// Full case folding (Unicode 3.13); UTF-16 units written, or -1 when they do not fit or ICU fails.
int32_t cairn_fold_case(const uint16_t *source, int32_t count, uint16_t *target, int32_t capacity);

/// Whether nothing before this code point can interact with it in that normal form.
int cairn_has_boundary_before(const cairn_normalizer *normalizer, int32_t scalar);

/// Whether this code point alone is in that form whatever precedes it, but for the order of marks.
int cairn_is_stable(const cairn_normalizer *normalizer, int32_t scalar);

int32_t cairn_general_category(int32_t scalar);

uint8_t cairn_combining_class(int32_t scalar);

int cairn_is_ignorable(int32_t scalar);

int cairn_is_pictograph(int32_t scalar);

/// 0 … 9 for a decimal digit of any script, else -1.
int32_t cairn_digit_value(int32_t scalar);

/// ICU's number of the script; CAIRN_SCRIPT_COMMON when unknown.
int32_t cairn_script(int32_t scalar);

/// Word boundaries of UAX 29 with ICU's dictionaries; NULL when the data is missing.
cairn_words *cairn_words_open(void);

/// The text must stay where it is until the next call; 0 when ICU refuses it.
int cairn_words_set(cairn_words *words, const uint16_t *text, int32_t count);

/// Offset of the next boundary in UTF-16 units, or -1 at the end.
int32_t cairn_words_next(cairn_words *words);

void cairn_words_close(cairn_words *words);

/// Decodes text of an encoding (by ICU's name of it) to UTF-8, U+FFFD for what is no text.
///
/// Bytes written, or -1 when ICU does not know the encoding or they do not fit.
int64_t cairn_decode(
    const char *encoding, const uint8_t *bytes, int64_t count, uint8_t *target, int64_t capacity);

/// Encodes UTF-8 in an encoding (by ICU's name of it) for the query of a URL: what it does not have
/// becomes `%26%23N%3B`.
///
/// Bytes written, or -1 when ICU does not know the encoding or they do not fit.
int64_t cairn_encode(
    const char *encoding, const uint8_t *text, int64_t count, uint8_t *target, int64_t capacity);

/// Whether this is a code of ISO 639, in lower case.
int cairn_is_language(const char *code);

/// Whether this is an assigned code of ISO 3166-1 alpha-2, in upper case.
int cairn_is_region(const char *code);

/// The ASCII form of a domain by UTS 46, as the URL Standard asks for it: bytes written, or -1.
int32_t cairn_domain_to_ascii(
    const uint8_t *domain, int32_t count, uint8_t *target, int32_t capacity);

/// A regular expression.
typedef struct cairn_pattern cairn_pattern;

/// Reads a regular expression in ICU's syntax; NULL when it is none. Its work on one text is bounded
/// by some seconds, its stack by 8 MB.
cairn_pattern *cairn_pattern_open(const uint16_t *pattern, int32_t count, int ignores_case);

void cairn_pattern_close(cairn_pattern *pattern);

/// 1 when the pattern matches anywhere in the text, 0 when not, -1 when ICU gives up.
int cairn_pattern_find(cairn_pattern *pattern, const uint16_t *text, int32_t count);

#endif
