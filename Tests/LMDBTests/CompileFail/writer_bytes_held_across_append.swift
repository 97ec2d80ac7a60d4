@testable import LMDB
@testable import Values

// Appending may move the bytes.
func keep() {
  var writer = ByteWriter()
  let bytes = writer.bytes  // expected-note {{conflicting access is here}}
  // expected-error@+1 {{overlapping accesses to 'writer'}}
  writer.append(1 as UInt8)
  _ = bytes.byteCount
}
