#ifndef CAIRN_CSTEMMER_SHIM_H
#define CAIRN_CSTEMMER_SHIM_H

#include <libstemmer.h>

#endif
