// ICU renames every function per release (u_charType_72); compiled here, the macros that hide it
// do their work. ICU's own headers stay out of the module: Swift's Foundation brings another
// release of them, and the compiler refuses to see both.

#include "CICU.h"

#include <stdio.h>
#include <string.h>

#if !__has_include(<unicode/ubrk.h>)
#error "<unicode/ubrk.h> is missing: apt-get install libicu-dev"
#endif
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/uidna.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>
#include <unicode/uregex.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/uversion.h>

_Static_assert((int)CAIRN_SCRIPT_COMMON == (int)USCRIPT_COMMON, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_INHERITED == (int)USCRIPT_INHERITED, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_ARABIC == (int)USCRIPT_ARABIC, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_ARMENIAN == (int)USCRIPT_ARMENIAN, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_BOPOMOFO == (int)USCRIPT_BOPOMOFO, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_COPTIC == (int)USCRIPT_COPTIC, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_CYRILLIC == (int)USCRIPT_CYRILLIC, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_GLAGOLITIC == (int)USCRIPT_GLAGOLITIC, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_GREEK == (int)USCRIPT_GREEK, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_HAN == (int)USCRIPT_HAN, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_HANGUL == (int)USCRIPT_HANGUL, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_HEBREW == (int)USCRIPT_HEBREW, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_HIRAGANA == (int)USCRIPT_HIRAGANA, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_KATAKANA == (int)USCRIPT_KATAKANA, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_KHMER == (int)USCRIPT_KHMER, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_LAO == (int)USCRIPT_LAO, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_LATIN == (int)USCRIPT_LATIN, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_MYANMAR == (int)USCRIPT_MYANMAR, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_NUSHU == (int)USCRIPT_NUSHU, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_TANGUT == (int)USCRIPT_TANGUT, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_THAI == (int)USCRIPT_THAI, "scripts keep their numbers");
_Static_assert((int)CAIRN_SCRIPT_YI == (int)USCRIPT_YI, "scripts keep their numbers");

void cairn_icu_version(uint8_t icu[4], uint8_t unicode[4]) {
  u_getVersion(icu);
  u_getUnicodeVersion(unicode);
}

const cairn_normalizer *cairn_nfkc_casefold(void) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *result = unorm2_getNFKCCasefoldInstance(&status);
  return U_SUCCESS(status) ? (void *)result : 0;
}

const cairn_normalizer *cairn_nfc(void) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *result = unorm2_getNFCInstance(&status);
  return U_SUCCESS(status) ? (void *)result : 0;
}

const cairn_normalizer *cairn_nfd(void) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *result = unorm2_getNFDInstance(&status);
  return U_SUCCESS(status) ? (void *)result : 0;
}

int32_t cairn_normalize(
    const cairn_normalizer *normalizer, const uint16_t *source, int32_t count,
    uint16_t *target, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t written = unorm2_normalize(
      (const UNormalizer2 *)normalizer, (const UChar *)source, count, (UChar *)target, capacity, &status);
  return U_SUCCESS(status) && written <= capacity ? written : -1;
}

int32_t cairn_fold_case(const uint16_t *source, int32_t count, uint16_t *target, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t written = u_strFoldCase(
      (UChar *)target, capacity, (const UChar *)source, count, U_FOLD_CASE_DEFAULT, &status);
  return U_SUCCESS(status) && written <= capacity ? written : -1;
}

int cairn_has_boundary_before(const cairn_normalizer *normalizer, int32_t scalar) {
  return unorm2_hasBoundaryBefore((const UNormalizer2 *)normalizer, scalar);
}

int cairn_is_stable(const cairn_normalizer *normalizer, int32_t scalar) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[2];
  int32_t count = 0;
  U16_APPEND_UNSAFE(units, count, scalar);
  UNormalizationCheckResult result = unorm2_quickCheck((const UNormalizer2 *)normalizer, units, count, &status);
  return U_SUCCESS(status) && result == UNORM_YES;
}

int32_t cairn_general_category(int32_t scalar) { return u_charType(scalar); }

uint8_t cairn_combining_class(int32_t scalar) { return u_getCombiningClass(scalar); }

int cairn_is_ignorable(int32_t scalar) {
  return u_hasBinaryProperty(scalar, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

int cairn_is_pictograph(int32_t scalar) {
  return u_hasBinaryProperty(scalar, UCHAR_EXTENDED_PICTOGRAPHIC);
}

int32_t cairn_digit_value(int32_t scalar) { return u_charDigitValue(scalar); }

int32_t cairn_script(int32_t scalar) {
  UErrorCode status = U_ZERO_ERROR;
  UScriptCode script = uscript_getScript(scalar, &status);
  return U_SUCCESS(status) ? script : USCRIPT_COMMON;
}

cairn_words *cairn_words_open(void) {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator *result = ubrk_open(UBRK_WORD, "", 0, 0, &status);
  return U_SUCCESS(status) ? (void *)result : 0;
}

int cairn_words_set(cairn_words *words, const uint16_t *text, int32_t count) {
  UErrorCode status = U_ZERO_ERROR;
  ubrk_setText((UBreakIterator *)words, (const UChar *)text, count, &status);
  return U_SUCCESS(status);
}

int32_t cairn_words_next(cairn_words *words) { return ubrk_next((UBreakIterator *)words); }

void cairn_words_close(cairn_words *words) { ubrk_close((UBreakIterator *)words); }

// As the Encoding Standard has it. ICU's own way writes U+001A for a single bad byte of some
// encodings, takes the ASCII behind half a character away with it, and has no euro at 0x80 of
// gb18030, where Chinese Windows writes it, and nothing there of Shift_JIS, which has a control.
static void replace_bad_bytes(
    const void *context, UConverterToUnicodeArgs *arguments, const char *bytes, int32_t count,
    UConverterCallbackReason reason, UErrorCode *status) {
  if (reason > UCNV_IRREGULAR) return;
  const char *encoding = context;
  int is_lone = count == 1 && (uint8_t)bytes[0] == 0x80;
  int is_euro = is_lone && strcmp(encoding, "gb18030") == 0;
  int is_control = is_lone && strcmp(encoding, "windows-31j") == 0;
  int has_ascii = count == 2 && (uint8_t)bytes[0] >= 0x80 && (uint8_t)bytes[1] < 0x80 &&
      strncmp(encoding, "UTF", 3) != 0;
  const UChar replacement[] = {is_euro ? 0x20ac : is_control ? 0x80 : 0xfffd, bytes[count - 1]};
  *status = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(arguments, replacement, has_ascii ? 2 : 1, 0, status);
}

// Closes both converters.
static int64_t convert(
    UConverter *to, UConverter *from, const uint8_t *bytes, int64_t count, uint8_t *target,
    int64_t capacity, UErrorCode status) {
  const char *source = (const char *)bytes;
  char *end = (char *)target;
  if (U_SUCCESS(status)) {
    UChar pivot[4096];
    UChar *first = pivot;
    UChar *last = pivot;
    ucnv_convertEx(
        to, from, &end, (char *)target + capacity, &source, source + count, pivot, &first, &last,
        pivot + 4096, 1, 1, &status);
  }
  ucnv_close(to);
  ucnv_close(from);
  return U_FAILURE(status) ? -1 : end - (char *)target;
}

int64_t cairn_decode(
    const char *encoding, const uint8_t *bytes, int64_t count, uint8_t *target, int64_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UConverter *converter = ucnv_open(encoding, &status);
  UConverter *utf8 = ucnv_open("UTF-8", &status);
  ucnv_setToUCallBack(converter, replace_bad_bytes, encoding, 0, 0, &status);
  return convert(utf8, converter, bytes, count, target, capacity, status);
}

// As the URL Standard has it: a reference by number, percent-encoded.
static void escape_unencodable(
    const void *context, UConverterFromUnicodeArgs *arguments, const UChar *units, int32_t count,
    UChar32 scalar, UConverterCallbackReason reason, UErrorCode *status) {
  (void)context;
  (void)units;
  (void)count;
  if (reason > UCNV_IRREGULAR) return;
  char text[24];
  int length = snprintf(text, sizeof text, "%%26%%23%d%%3B", (int)scalar);
  UChar wide[24];
  for (int at = 0; at < length; at++) wide[at] = (UChar)text[at];
  const UChar *first = wide;
  *status = U_ZERO_ERROR;
  ucnv_cbFromUWriteUChars(arguments, &first, wide + length, 0, status);
}

int64_t cairn_encode(
    const char *encoding, const uint8_t *text, int64_t count, uint8_t *target, int64_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UConverter *converter = ucnv_open(encoding, &status);
  UConverter *utf8 = ucnv_open("UTF-8", &status);
  ucnv_setFromUCallBack(converter, escape_unencodable, 0, 0, 0, &status);
  return convert(converter, utf8, text, count, target, capacity, status);
}

int32_t cairn_domain_to_ascii(
    const uint8_t *domain, int32_t count, uint8_t *target, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  UIDNA *names = uidna_openUTS46(
      UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, &status);
  if (U_FAILURE(status)) return -1;
  int32_t written = uidna_nameToASCII_UTF8(
      names, (const char *)domain, count, (char *)target, capacity, &info, &status);
  uidna_close(names);
  // Lengths and hyphens are the registries' matter, not the URL's.
  const uint32_t allowed = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
      UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
      UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;
  if (U_FAILURE(status) || written > capacity || (info.errors & ~allowed) != 0) return -1;
  return written;
}

static int is_listed(const char *code, const char *const *list) {
  for (; *list; list++) {
    if (strcmp(code, *list) == 0) return 1;
  }
  return 0;
}

int cairn_is_language(const char *code) { return is_listed(code, uloc_getISOLanguages()); }

int cairn_is_region(const char *code) {
  // In ICU's list, reserved by ISO and assigned to nobody.
  static const char *const reserved[] = {"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "TA", "UN", "XA", "XB", "XK", "ZZ", 0};
  return is_listed(code, uloc_getISOCountries()) && !is_listed(code, reserved);
}

cairn_pattern *cairn_pattern_open(const uint16_t *pattern, int32_t count, int ignores_case) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError place;
  // Only \n ends a line, as in Python.
  uint32_t flags = UREGEX_UNIX_LINES | (ignores_case ? UREGEX_CASE_INSENSITIVE : 0);
  URegularExpression *opened = uregex_open(pattern, count, flags, &place, &status);
  if (U_FAILURE(status)) {
    uregex_close(opened);
    return 0;
  }
  uregex_setTimeLimit(opened, 250, &status);
  return (void *)opened;
}

void cairn_pattern_close(cairn_pattern *pattern) { uregex_close((void *)pattern); }

int cairn_pattern_find(cairn_pattern *pattern, const uint16_t *text, int32_t count) {
  static const uint16_t nothing;
  UErrorCode status = U_ZERO_ERROR;
  uregex_setText((void *)pattern, text ? text : &nothing, count, &status);
  UBool found = uregex_find((void *)pattern, 0, &status);
  return U_FAILURE(status) ? -1 : found ? 1 : 0;
}
