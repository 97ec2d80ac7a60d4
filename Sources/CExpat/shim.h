#ifndef CAIRN_CEXPAT_SHIM_H
#define CAIRN_CEXPAT_SHIM_H

#include <expat.h>

#endif
