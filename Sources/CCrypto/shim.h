#ifndef CAIRN_CCRYPTO_SHIM_H
#define CAIRN_CCRYPTO_SHIM_H

#if !__has_include(<openssl/evp.h>)
#error "<openssl/evp.h> is missing: apt-get install libssl-dev"
#endif

// The functions that hash without an allocation are called deprecated since 3.0, and stay.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#endif
