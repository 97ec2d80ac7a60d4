#ifndef CAIRN_CLZMA_SHIM_H
#define CAIRN_CLZMA_SHIM_H

#if !__has_include(<lzma.h>)
#error "<lzma.h> is missing: apt-get install liblzma-dev"
#endif
#include <lzma.h>

#endif
