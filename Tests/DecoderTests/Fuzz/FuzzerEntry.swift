import Glibc
import Importers

// What libFuzzer calls; built only where CAIRN_FUZZ is set, see Tools/fuzz.

/// What bytes are fed to.
private enum Target {
  case decoder(Decoder)
  /// The reader of one format, as `history/zsh`: the bytes are a file of it.
  case reader(any HistoryFormat.Type)
  /// What has to be found.
  case canary

  static var names: [String] {
    Decoder.allCases.map(\.rawValue) + ImporterDecoders.formats.map { "history/\($0.name)" }
  }

  init?(_ name: String) {
    if name == "canary" {
      self = .canary
    } else if let decoder = Decoder(rawValue: name) {
      self = .decoder(decoder)
    } else if let format = ImporterDecoders.formats.first(where: { "history/\($0.name)" == name }) {
      self = .reader(format)
    } else {
      return nil
    }
  }

  func run(_ bytes: [UInt8]) throws {
    switch self {
    case .decoder(let decoder): try decoder.run(bytes)
    case .reader(let format): try ImporterDecoders.file(bytes, as: format)
    case .canary: precondition(!isCanary(bytes), "the canary was found, as it has to be")
    }
  }

  func examples() throws -> [[UInt8]] {
    switch self {
    case .decoder(let decoder): try decoder.examples()
    case .reader(let format): ImporterDecoders.examples(of: format)
    case .canary: []
    }
  }
}

/// What CAIRN_FUZZ_DECODER names; `list` prints the names.
private let target: Target = {
  let name = unsafe getenv("CAIRN_FUZZ_DECODER").map { unsafe String(cString: $0) } ?? ""
  if let target = Target(name) { return target }
  print(Target.names.joined(separator: "\n"))
  exit(name == "list" ? 0 : 64)
}()

/// Runs one input; ends the process, for the fuzzer to notice, when the decoder is at fault.
@_cdecl("LLVMFuzzerTestOneInput") public func testOneInput(
  _ start: UnsafePointer<UInt8>?, _ count: Int
) -> CInt {
  // SAFETY: libFuzzer lends `count` bytes for the time of the call; they are copied.
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do { try target.run(bytes) } catch { preconditionFailure("\(error)") }
  return 0
}

/// Whether the bytes are ones that only a fuzzer with eyes comes upon.
private func isCanary(_ bytes: [UInt8]) -> Bool {
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
  // Asked before anything else, so that `list` needs no input.
  let target = target
  guard let folder = unsafe getenv("CAIRN_FUZZ_EXAMPLES").map({ unsafe String(cString: $0) }),
    let examples = try? target.examples()
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
