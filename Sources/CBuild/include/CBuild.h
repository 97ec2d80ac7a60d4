#ifndef CAIRN_CBUILD_H
#define CAIRN_CBUILD_H

// The commit that the program was built of; empty where the build was not told.
const char *cairn_commit(void);

#endif
