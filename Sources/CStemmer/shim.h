#ifndef CAIRN_CSTEMMER_SHIM_H
#define CAIRN_CSTEMMER_SHIM_H

#if !__has_include(<libstemmer.h>)
#error "<libstemmer.h> is missing: apt-get install libstemmer-dev"
#endif
#include <libstemmer.h>

#endif
