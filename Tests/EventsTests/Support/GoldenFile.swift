import Foundation
import TestSupport
import Values

/// A file of vectors: blocks with a `# name` line and `key value` lines.
struct GoldenFile {
  struct Vector: CustomStringConvertible {
    var name: String
    var fields: [String: String] = [:]
    var description: String { name }

    /// The bytes of a field in hexadecimal.
    func bytes(_ key: String) -> [UInt8]? { fields[key].flatMap(Hexadecimal.bytes) }
  }

  var vectors: [Vector] = []

  init(_ name: String) throws {
    let data = try Data(
      contentsOf: Checkout.root.appending(path: "Tests/EventsTests/Golden/\(name)"))
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("# ") {
        vectors.append(Vector(name: String(line.dropFirst(2))))
      } else if let blank = line.firstIndex(of: " "), !vectors.isEmpty {
        vectors[vectors.count - 1].fields[String(line[..<blank])] = String(
          line[line.index(after: blank)...])
      }
    }
    vectors.removeAll { $0.fields.isEmpty }
  }
}
