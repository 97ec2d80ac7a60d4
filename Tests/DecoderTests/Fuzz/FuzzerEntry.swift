import Glibc

// What libFuzzer calls; built only where CAIRN_FUZZ is set, see Tools/fuzz.

/// The decoder that CAIRN_FUZZ_DECODER names; nil for the canary, which has to be found.
private let decoder: Decoder? = {
  let name = unsafe getenv("CAIRN_FUZZ_DECODER").map { unsafe String(cString: $0) }
  if name == "canary" { return nil }
  guard let decoder = name.flatMap({ Decoder(rawValue: $0) }) else {
    let names = Decoder.allCases.map(\.rawValue).joined(separator: " ")
    preconditionFailure("set CAIRN_FUZZ_DECODER to one of: canary \(names)")
  }
  return decoder
}()

/// Runs one input; ends the process, for the fuzzer to notice, when the decoder is at fault.
@_cdecl("LLVMFuzzerTestOneInput") public func testOneInput(
  _ start: UnsafePointer<UInt8>?, _ count: Int
) -> CInt {
  // SAFETY: libFuzzer lends `count` bytes for the time of the call; they are copied.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do {
    guard let decoder else {
      precondition(!canary(bytes), "the canary was found, as it has to be")
      return 0
    }
    try decoder.run(bytes)
  } catch { preconditionFailure("\(error)") }
  return 0
}

/// Whether the bytes are ones that only a fuzzer with eyes comes upon.
private func canary(_ bytes: [UInt8]) -> Bool {
  guard bytes.count >= 4 else { return false }
  guard bytes[0] == 0x62 else { return false }
  guard bytes[1] == 0x75 else { return false }
  guard bytes[2] == 0x67 else { return false }
  return bytes[3] == 0x21
}

/// Writes the examples to the folder that CAIRN_FUZZ_EXAMPLES names, before it is read as corpus.
@_cdecl("LLVMFuzzerInitialize") public func initialize(
  _: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> CInt {
  guard let folder = unsafe getenv("CAIRN_FUZZ_EXAMPLES").map({ unsafe String(cString: $0) }),
    let examples = try? decoder?.examples()
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
