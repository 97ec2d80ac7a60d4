import Values

/// `main.shada` of Neovim: MessagePack, one entry after the other (runtime/doc/starting.txt).
enum Shada: HistoryFormat {
  static let name = "shada"
  static let summary = "commands and files of Neovim (main.shada)"
  static let source = "neovim"

  private static let byteCountMax = 64 << 20

  static func recognises(_ file: InputFile) -> Bool {
    // The first entry is of type 1, which no text begins with.
    var reader = BinaryReader(Array(file.head.prefix(64)))
    return MessagePack(&reader)?.integer == 1
      && file.head.prefix(64).firstRange(of: "generator".utf8) != nil
      || file.name.hasSuffix(".shada") && !file.head.isEmpty
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    let bytes = try file.whole(most: byteCountMax)
    var reader = BinaryReader(bytes)
    var uses = EditorUses(source: source)
    var index = 0
    while reader.left > 0 {
      let place = RecordPlace.record(index)
      guard let type = MessagePack(&reader)?.integer, let time = MessagePack(&reader)?.integer,
        let length = MessagePack(&reader)?.integer, length >= 0, length <= reader.left,
        index > 0 || (1...11).contains(type)
      else {
        if index == 0 { throw CairnError(.malformed, "is no ShaDa file of Neovim") }
        return events.malformed(place, "the file ends in the middle")
      }
      index += 1
      guard let data = reader.bytes(Int(length)) else { return }
      var entry = BinaryReader(data)
      switch type {
      case 4:
        guard case .array(let parts)? = MessagePack(&entry), parts.count >= 2,
          let kind = parts[0].integer, let text = parts[1].text
        else {
          events.malformed(place, "no history entry")
          continue
        }
        try uses.command(Int(clamping: kind), text, time, place, events)
      case 7, 8, 10, 11:
        guard case .map(let members)? = MessagePack(&entry),
          case .bytes(let path)? = members.first(where: { $0.key.text == "f" })?.value
        else {
          events.malformed(place, "no mark")
          continue
        }
        try uses.file(path, time, place, events)
      default: continue
      }
    }
  }
}

/// A value of MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md).
indirect enum MessagePack {
  case null, bool(Bool), double(Double)
  case integer(Int64)
  case bytes([UInt8])
  case array([MessagePack])
  case map([(key: MessagePack, value: MessagePack)])

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var text: String? { if case .bytes(let bytes) = self { FileItem.text(bytes) } else { nil } }

  private static let depthMax = 32

  /// The next value; nil where the bytes are none.
  init?(_ reader: inout BinaryReader, depth: Int = 0) {
    guard depth < Self.depthMax, let first = reader.byte() else { return nil }
    switch first {
    case 0x00...0x7F: self = .integer(Int64(first))
    case 0xE0...0xFF: self = .integer(Int64(Int8(bitPattern: first)))
    case 0x80...0x8F: self.init(&reader, map: Int(first & 15), depth)
    case 0x90...0x9F: self.init(&reader, array: Int(first & 15), depth)
    case 0xA0...0xBF: self.init(&reader, bytes: Int(first & 31))
    case 0xC0: self = .null
    case 0xC2, 0xC3: self = .bool(first == 0xC3)
    case 0xC4...0xC6: self.init(&reader, bytes: reader.count(1 << (first - 0xC4)))
    case 0xC7...0xC9: self.init(&reader, bytes: reader.count(1 << (first - 0xC7)).map { $0 + 1 })
    case 0xCA:
      guard let bits = reader.unsigned(4, .big) else { return nil }
      self = .double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case 0xCB:
      guard let bits = reader.unsigned(8, .big) else { return nil }
      self = .double(Double(bitPattern: bits))
    case 0xCC...0xCF:
      guard let value = reader.unsigned(1 << Int(first - 0xCC), .big) else { return nil }
      self = .integer(Int64(clamping: value))
    case 0xD0...0xD3:
      let count = 1 << Int(first - 0xD0)
      guard let value = reader.unsigned(count, .big) else { return nil }
      let shift = UInt64(64 - count * 8)
      self = .integer(Int64(bitPattern: value << shift) >> Int64(shift))
    case 0xD4...0xD8: self.init(&reader, bytes: (1 << Int(first - 0xD4)) + 1)
    case 0xD9...0xDB: self.init(&reader, bytes: reader.count(1 << (first - 0xD9)))
    case 0xDC, 0xDD: self.init(&reader, array: reader.count(first == 0xDC ? 2 : 4), depth)
    case 0xDE, 0xDF: self.init(&reader, map: reader.count(first == 0xDE ? 2 : 4), depth)
    default: return nil
    }
  }

  private init?(_ reader: inout BinaryReader, bytes count: Int?) {
    guard let count, let bytes = reader.bytes(count) else { return nil }
    self = .bytes(bytes)
  }

  private init?(_ reader: inout BinaryReader, array count: Int?, _ depth: Int) {
    // Every element has a byte at least: a count beyond that is no count.
    guard let count, count <= reader.left else { return nil }
    var elements: [MessagePack] = []
    for _ in 0..<count {
      guard let element = MessagePack(&reader, depth: depth + 1) else { return nil }
      elements.append(element)
    }
    self = .array(elements)
  }

  private init?(_ reader: inout BinaryReader, map count: Int?, _ depth: Int) {
    guard let count, count <= reader.left / 2 else { return nil }
    var members: [(key: MessagePack, value: MessagePack)] = []
    for _ in 0..<count {
      guard let key = MessagePack(&reader, depth: depth + 1),
        let value = MessagePack(&reader, depth: depth + 1)
      else { return nil }
      members.append((key, value))
    }
    self = .map(members)
  }
}

extension BinaryReader {
  /// A count in so many bytes.
  fileprivate mutating func count(_ width: Int) -> Int? {
    unsigned(width, .big).map { Int(clamping: $0) }
  }
}
