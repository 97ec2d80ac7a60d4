#ifndef CAIRN_COPENSSL_SHIM_H
#define CAIRN_COPENSSL_SHIM_H

#include <openssl/err.h>
#include <openssl/ssl.h>

// What OpenSSL has as macros, which Swift cannot call.
static inline long cairn_tls_set_name(SSL *ssl, const char *name) {
  return SSL_set_tlsext_host_name(ssl, name);
}

static inline long cairn_tls_from_1_2(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

#endif
