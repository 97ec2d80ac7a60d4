#ifndef CAIRN_CICU_SHIM_H
#define CAIRN_CICU_SHIM_H

// ICU renames every function per release (u_charType_72). The macros that hide this do not reach
// Swift, so each function used gets one wrapper, compiled against whatever release is installed.

#include <stdint.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>
#include <unicode/uversion.h>

typedef struct UNormalizer2 cairn_normalizer;

/// Release of ICU and of Unicode: major, minor, … as ICU fills them, 4 bytes each.
static inline void cairn_icu_version(uint8_t icu[4], uint8_t unicode[4]) {
  u_getVersion(icu);
  u_getUnicodeVersion(unicode);
}

/// Shared, immutable; NULL when the data file is missing.
static inline const cairn_normalizer *cairn_nfkc_casefold(void) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *result = unorm2_getNFKCCasefoldInstance(&status);
  return U_SUCCESS(status) ? result : 0;
}

/// Shared, immutable; NULL when the data file is missing.
static inline const cairn_normalizer *cairn_nfc(void) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *result = unorm2_getNFCInstance(&status);
  return U_SUCCESS(status) ? result : 0;
}

/// Shared, immutable; NULL when the data file is missing.
static inline const cairn_normalizer *cairn_nfd(void) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2 *result = unorm2_getNFDInstance(&status);
  return U_SUCCESS(status) ? result : 0;
}

/// UTF-16 units written, or -1 when they do not fit or ICU fails.
static inline int32_t cairn_normalize(
    const cairn_normalizer *normalizer, const uint16_t *source, int32_t count,
    uint16_t *target, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t written = unorm2_normalize(
      normalizer, (const UChar *)source, count, (UChar *)target, capacity, &status);
  return U_SUCCESS(status) && written <= capacity ? written : -1;
}

/// Whether nothing before this code point can interact with it in that normal form.
static inline int cairn_has_boundary_before(const cairn_normalizer *normalizer, int32_t scalar) {
  return unorm2_hasBoundaryBefore(normalizer, scalar);
}

/// Whether this code point alone is in that form whatever precedes it, but for the order of marks.
static inline int cairn_is_stable(const cairn_normalizer *normalizer, int32_t scalar) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[2];
  int32_t count = 0;
  U16_APPEND_UNSAFE(units, count, scalar);
  UNormalizationCheckResult result = unorm2_quickCheck(normalizer, units, count, &status);
  return U_SUCCESS(status) && result == UNORM_YES;
}

static inline int32_t cairn_general_category(int32_t scalar) { return u_charType(scalar); }

static inline uint8_t cairn_combining_class(int32_t scalar) { return u_getCombiningClass(scalar); }

static inline int cairn_is_ignorable(int32_t scalar) {
  return u_hasBinaryProperty(scalar, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

static inline int cairn_is_pictograph(int32_t scalar) {
  return u_hasBinaryProperty(scalar, UCHAR_EXTENDED_PICTOGRAPHIC);
}

/// 0 … 9 for a decimal digit of any script, else -1.
static inline int32_t cairn_digit_value(int32_t scalar) { return u_charDigitValue(scalar); }

/// UScriptCode; USCRIPT_COMMON when unknown.
static inline int32_t cairn_script(int32_t scalar) {
  UErrorCode status = U_ZERO_ERROR;
  UScriptCode script = uscript_getScript(scalar, &status);
  return U_SUCCESS(status) ? script : USCRIPT_COMMON;
}

/// Word boundaries of UAX 29 with ICU's dictionaries; NULL when the data is missing.
static inline UBreakIterator *cairn_words_open(void) {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator *result = ubrk_open(UBRK_WORD, "", 0, 0, &status);
  return U_SUCCESS(status) ? result : 0;
}

/// The text must stay where it is until the next call; 0 when ICU refuses it.
static inline int cairn_words_set(UBreakIterator *words, const uint16_t *text, int32_t count) {
  UErrorCode status = U_ZERO_ERROR;
  ubrk_setText(words, (const UChar *)text, count, &status);
  return U_SUCCESS(status);
}

/// Offset of the next boundary in UTF-16 units, or -1 at the end.
static inline int32_t cairn_words_next(UBreakIterator *words) { return ubrk_next(words); }

static inline void cairn_words_close(UBreakIterator *words) { ubrk_close(words); }

#endif
