#include "CBuild.h"

#ifndef CAIRN_COMMIT
#define CAIRN_COMMIT ""
#endif

const char *cairn_commit(void) { return CAIRN_COMMIT; }
