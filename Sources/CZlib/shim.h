#ifndef CAIRN_CZLIB_SHIM_H
#define CAIRN_CZLIB_SHIM_H

#if !__has_include(<zlib.h>)
#error "<zlib.h> is missing: apt-get install zlib1g-dev"
#endif
#include <zlib.h>

// `inflateInit2` is a macro, which Swift cannot call. 47 = any window, gzip or zlib by its header;
// -15 = a bare deflate stream, as in zip archives.
static inline int cairn_inflate_begin(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

#endif
