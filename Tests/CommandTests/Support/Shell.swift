import Foundation
import Synchronization

/// What a finished process said.
struct ProcessResult: Sendable {
  var status: Int32
  /// The signal that ended it, 0 for none.
  var signal: Int32
  var output: Data
  var errors: String

  var text: String { String(decoding: output, as: UTF8.self) }

  /// The lines on standard output as JSON objects.
  func objects() throws -> [[String: Any]] {
    try output.split(separator: 0x0A).map {
      try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] ?? [:]
    }
  }
}

/// Runs programs from outside, as a user does.
enum Shell {
  static func run(
    _ program: String, _ arguments: String..., input: Data? = nil, directory: String? = nil
  ) throws -> ProcessResult { try run(program, arguments, input: input, directory: directory) }

  static func run(
    _ program: String, _ arguments: [String], input: Data? = nil, directory: String? = nil,
    environment: [String: String] = [:]
  ) throws -> ProcessResult {
    let running = try RunningProcess(
      program, arguments, directory: directory, environment: environment)
    return running.finish(input: input)
  }
}

/// A process that has been started and not yet waited for.
final class RunningProcess: @unchecked Sendable {
  // Process is used by one thread at a time here; the readers own their pipes.
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  init(
    _ program: String, _ arguments: [String], directory: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    if program.hasPrefix("/") {
      process.executableURL = URL(filePath: program)
      process.arguments = arguments
    } else {
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [program] + arguments
    }
    if let directory { process.currentDirectoryURL = URL(filePath: directory) }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    signal(SIGPIPE, SIG_IGN)
    try process.run()
  }

  var identifier: pid_t { process.processIdentifier }

  /// Writes to its standard input; false once it no longer reads.
  @discardableResult func write(_ bytes: Data) -> Bool {
    (try? input.fileHandleForWriting.write(contentsOf: bytes)) != nil
  }

  func closeInput() { try? input.fileHandleForWriting.close() }

  func kill(_ signal: Int32) { Foundation.kill(identifier, signal) }

  /// Gives it the rest of its input, reads all it says and waits for its end.
  func finish(input bytes: Data? = nil) -> ProcessResult {
    let said = Mutex<[Data]>([Data(), Data()])
    let group = DispatchGroup()
    for (index, pipe) in [output, errors].enumerated() {
      DispatchQueue.global().async(group: group) {
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        said.withLock { $0[index] = data }
      }
    }
    if let bytes { write(bytes) }
    closeInput()
    process.waitUntilExit()
    group.wait()
    let bySignal = process.terminationReason == .uncaughtSignal
    return said.withLock {
      ProcessResult(
        status: bySignal ? -1 : process.terminationStatus,
        signal: bySignal ? process.terminationStatus : 0, output: $0[0],
        errors: String(decoding: $0[1], as: UTF8.self))
    }
  }
}
