import Files
import Values

/// The disk of another machine, mounted or copied somewhere below the root of this one.
package struct OtherDisk: Sendable {
  /// What the machine calls itself, up to the first dot.
  package let host: String
  /// Where its root is here, without links, and what stands before paths from there.
  private let root: String
  private let drive: String

  /// What says what a machine is called: of Linux (hostname(5)), of a Mac, and of Windows, whose
  /// system is on the drive C.
  private static let tellers: [Teller] = [
    ("etc/hostname", "", firstLine),
    ("Library/Preferences/SystemConfiguration/preferences.plist", "", ofMac),
    ("Windows/System32/config/SYSTEM", "C:", ofWindows),
  ]
  private typealias Teller = (
    path: String, drive: String, name: @Sendable ([UInt8]) -> String?
  )

  /// The disk on which a folder is: the nearest folder from there upwards that holds a file which
  /// says what the machine is called; nil where that is this machine's, or none.
  package init?(of folder: String) {
    guard var root = RealPath.of(folder) else { return nil }
    while root.utf8.count > 1 {
      for teller in Self.tellers {
        // What cannot be read names no machine.
        guard let bytes = try? FileBytes.read(root + "/" + teller.path, limit: 1 << 28) else {
          continue
        }
        guard let name = teller.name(bytes).flatMap(Self.name) else { return nil }
        (host, self.root, drive) = (name, root, teller.drive)
        return
      }
      root = String(root.utf8.dropLast(root.utf8.reversed().prefix { $0 != 0x2F }.count + 1)) ?? ""
    }
    return nil
  }

  /// A name up to its first dot; nil for what is none, which would go into domains.
  private static func name(_ text: String) -> String? {
    let name = text.prefix { $0 != "." }
    let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    return isName && (1...64).contains(name.utf8.count) ? String(name) : nil
  }

  /// The first line that is no comment.
  @Sendable private static func firstLine(_ bytes: [UInt8]) -> String? {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { CommandText.trimmed(String($0)) }.first { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  /// The name by which a Mac is found in its network.
  @Sendable private static func ofMac(_ bytes: [UInt8]) -> String? {
    let key = Array("<key>LocalHostName</key>".utf8)
    guard let found = bytes.firstRange(of: key),
      let open = bytes[found.upperBound...].firstRange(of: "<string>".utf8)
    else { return nil }
    return HTMLText.decode(Array(bytes[open.upperBound...].prefix { $0 != UInt8(ascii: "<") }))
  }

  /// The text of the first value of a registry that is named ComputerName.
  ///
  /// A value is 20 bytes before its name; its data stand where it says, from the fifth kilobyte on
  /// and after 4 bytes of their own.
  @Sendable private static func ofWindows(_ bytes: [UInt8]) -> String? {
    let name = Array("ComputerName".utf8)
    var rest = bytes[...]
    while let found = rest.firstRange(of: name) {
      rest = rest[found.upperBound...]
      guard found.lowerBound >= 20 else { continue }
      var reader = BinaryReader(Array(bytes[found.lowerBound - 20..<found.lowerBound]))
      guard reader.unsigned(2, .little) == 0x6B76, reader.unsigned(2, .little) == 12,
        let count = reader.unsigned(4, .little), let place = reader.unsigned(4, .little),
        reader.unsigned(4, .little) == 1, count <= 128, place < 1 << 31
      else { continue }
      let data = bytes.dropFirst(Int(place) + 4100).prefix(Int(count))
      let units = stride(from: data.startIndex, to: data.endIndex - 1, by: 2).map {
        UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8
      }
      let text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
      if !text.isEmpty { return text }
    }
    return nil
  }

  /// What a folder was called on its machine; nil for the root, which is nobody's home.
  package func name(of folder: String) -> String? {
    let name = RealPath.of(folder)?.utf8.dropFirst(root.utf8.count).map { $0 } ?? []
    return name.isEmpty ? nil : drive + String(decoding: name, as: UTF8.self)
  }

  /// The homes on it, where a folder is its root: each once, also where links lead there, and none
  /// to which a link leads from the disk.
  package func homes(in folder: String) -> [String] {
    guard name(of: folder) == nil else { return [] }
    let homes = ["home", "Users"].flatMap { place in
      Folder.names("\(folder)/\(place)").map { "\(folder)/\(place)/\($0)" }
    }
    var seen: Set<String> = []
    return (homes + ["\(folder)/root"]).filter { home in
      guard let real = RealPath.of(home), real.hasPrefix(root + "/") else { return false }
      return seen.insert(real).inserted
    }
  }
}
