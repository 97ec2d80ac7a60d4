import Foundation

/// A file of vectors: blocks with a `# name` line and `key value` lines.
struct GoldenFile {
  struct Vector: CustomStringConvertible {
    var name: String
    var fields: [String: String] = [:]
    var description: String { name }

    /// The bytes of a field in hexadecimal.
    func bytes(_ key: String) -> [UInt8]? {
      guard let text = fields[key], text.utf8.count % 2 == 0 else { return nil }
      let digits = Array(text)
      return stride(from: 0, to: digits.count, by: 2).reduce(into: [UInt8]?.some([])) { bytes, at in
        guard let byte = UInt8(String(digits[at...at + 1]), radix: 16) else { return bytes = nil }
        bytes?.append(byte)
      }
    }
  }

  var vectors: [Vector] = []

  init(_ name: String) throws {
    let data = try Data(contentsOf: Places.golden.appending(path: name))
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
