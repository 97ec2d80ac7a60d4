import Foundation
import TestSupport

extension Checkout {
  /// Every file under the given folders whose name ends so, in path order.
  static func files(in folders: [String], suffix: String = ".swift") throws -> [SourceFile] {
    var found: [SourceFile] = []
    for folder in folders {
      let base = root.appending(path: folder)
      let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
      for path in (paths ?? []).sorted() where path.hasSuffix(suffix) {
        let text = try String(contentsOf: base.appending(path: path), encoding: .utf8)
        found.append(SourceFile(path: "\(folder)/\(path)", text: text))
      }
    }
    return found
  }
}

/// One file of ours, seen as lines.
struct SourceFile {
  /// From the root of the checkout.
  let path: String
  let lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The target it belongs to: `Sources/LMDB/Cursor.swift` is `LMDB`'s.
  var target: String {
    let parts = path.split(separator: "/")
    return parts[0] == "Sources" ? String(parts[1]) : String(parts[0])
  }

  /// Line numbers (from 1) of lines whose code, comments left out, satisfies the predicate.
  func codeLines(where matches: (Substring) -> Bool) -> [Int] {
    lines.indices.filter { matches(Self.withoutComment(lines[$0])) }.map { $0 + 1 }
  }

  /// Whether a comment stands on the line or directly above it.
  func hasComment(at number: Int) -> Bool {
    let index = number - 1
    if lines[index].contains("//") { return true }
    return index > 0 && lines[index - 1].drop(while: { $0 == " " }).hasPrefix("//")
  }

  private static func withoutComment(_ line: Substring) -> Substring {
    line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
  }

  /// Functions and how many lines each spans.
  ///
  /// The formatter puts the closing brace under the first letter of the declaration, so
  /// indentation is enough to find the end.
  func functions() -> [(line: Int, length: Int)] {
    lines.indices.compactMap { start in
      let code = Self.withoutComment(lines[start])
      guard code.contains("func ") || code.contains(" init(") || code.contains(" init?(") else {
        return nil
      }
      let indent = code.prefix(while: { $0 == " " })
      guard code.drop(while: { $0 == " " }).first?.isLetter ?? false,
        let end = lines[start...].firstIndex(where: { $0 == indent + "}" }),
        // A protocol requirement has no body: something else begins before the brace.
        !lines[(start + 1)..<end].contains(where: { Self.isDeclaration($0, indent: indent) })
      else { return nil }
      return (start + 1, end - start + 1)
    }
  }

  private static func isDeclaration(_ line: Substring, indent: Substring) -> Bool {
    guard line.hasPrefix(indent) else { return false }
    let rest = line.dropFirst(indent.count)
    return ["func ", "var ", "let ", "init(", "static ", "package ", "public ", "private ", "@"]
      .contains { rest.hasPrefix($0) }
  }
}
