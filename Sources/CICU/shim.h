#ifndef CAIRN_CICU_SHIM_H
#define CAIRN_CICU_SHIM_H
#include <unicode/ubrk.h>
#include <unicode/unorm2.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>
#include <unicode/uversion.h>
#endif
