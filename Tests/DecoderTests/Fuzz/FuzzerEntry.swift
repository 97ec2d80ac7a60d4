import Glibc

// What libFuzzer calls; built only where CAIRN_FUZZ is set, see Tools/fuzz.

/// The decoder that CAIRN_FUZZ_DECODER names.
private let decoder: Decoder = {
  let name = unsafe getenv("CAIRN_FUZZ_DECODER").map { unsafe String(cString: $0) }
  guard let decoder = name.flatMap({ Decoder(rawValue: $0) }) else {
    let names = Decoder.allCases.map(\.rawValue).joined(separator: " ")
    preconditionFailure("set CAIRN_FUZZ_DECODER to one of: \(names)")
  }
  return decoder
}()

/// Runs one input; ends the process, for the fuzzer to notice, when the decoder is at fault.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // SAFETY: libFuzzer lends `count` bytes for the time of the call; they are copied.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do {
    try decoder.run(bytes)
  } catch {
    preconditionFailure("\(error)")
  }
  return 0
}

/// Writes the examples to the folder that CAIRN_FUZZ_EXAMPLES names, before it is read as corpus.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
  guard let folder = unsafe getenv("CAIRN_FUZZ_EXAMPLES").map({ unsafe String(cString: $0) }),
    let examples = try? decoder.examples()
  else { return 0 }
  for (number, example) in examples.enumerated() {
    // SAFETY: the path is a NUL-ended copy; the bytes are those of the array.
    let file = unsafe open("\(folder)/example-\(number)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    precondition(file >= 0, "the examples cannot be written")
    _ = unsafe write(file, example, example.count)
    close(file)
  }
  return 0
}
