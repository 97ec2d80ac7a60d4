#ifndef CAIRN_CEXPAT_SHIM_H
#define CAIRN_CEXPAT_SHIM_H

#if !__has_include(<expat.h>)
#error "<expat.h> is missing: apt-get install libexpat1-dev"
#endif
#include <expat.h>

#endif
