import Events
import Foundation
import Importers
import TestSupport

/// What an import of files gives, in the shape of the oracles.
struct ImportedHistory {
  var events: [Event] = []
  var malformed: [String] = []
  /// What was refused, as it came.
  var refused: [String] = []
  var files: [ImportRun.File] = []
  var ids: [EventID] = []

  static let scratch = TestDirectory.shared + "/importers"

  static var options: ImportOptions {
    ImportOptions(host: "testhost", home: "/home/mira", scratch: scratch)
  }

  init(
    _ paths: [(path: String, format: String)], past: PastUses = PastUses(),
    options: ImportOptions = Self.options
  ) throws {
    let key = [UInt8](repeating: 7, count: 32)
    var malformed: [String] = []
    var refused: [String] = []
    let run = ImportRun(options: options, ids: DerivedID(key: key), past: past) {
      path, place, reason, raw in
      malformed.append("\(path):\(place): \(reason)")
      refused.append(String(decoding: raw, as: UTF8.self))
    }
    run.countsVisits = paths.contains { $0.format == "safari-export" }
    for (path, name) in paths {
      let isArchive = name == ArchivedHistories.name
      guard let format = isArchive ? ArchivedHistories.self : HistoryFormats.named(name) else {
        throw NoFormat(name: name)
      }
      try run.read(path, as: format)
    }
    var events: [Event] = []
    var ids: [EventID] = []
    try run.forEachEvent { (entry) throws(CairnError) in
      let stored = entry.event
      events.append(
        try Event(stored.payload, kind: stored.kind, id: stored.id, recorded: stored.recorded))
      if let id = entry.event.id { ids.append(id) }
    }
    self.events = events
    self.ids = ids
    self.malformed = malformed
    self.refused = refused
    files = run.files
  }

  /// The events of a file of one format, made of a text.
  static func events(_ format: String, _ name: String, _ text: String) throws -> [Event] {
    try ImportedHistory([(try MadeFile.file(name, text), format)]).events
  }

  struct NoFormat: Error { var name: String }

  var failure: CairnError? { files.lazy.compactMap(\.failure).first }

  var skipped: [String: Int] {
    files.reduce(into: [:]) { all, file in all.merge(file.skipped) { $0 + $1 } }
  }

  /// What the store would know of these after they are appended.
  var uses: PastUses {
    var uses = PastUses()
    for event in events where event.kind == .view {
      uses.note(
        event, source: event.source ?? "", item: event.item ?? "",
        application: event.text("application"), time: event.time?.microseconds ?? 0)
    }
    return uses
  }
}

extension Event {
  func text(_ attribute: String) -> String? {
    if case .string(let text)? = attributes[attribute] { text } else { nil }
  }

  var visitCount: Int64 {
    if case .number(let text)? = extras["visits"] { Int64(text) ?? 1 } else { 1 }
  }

  var isUntimed: Bool { extras["untimed"] != nil }

  private func extra(_ key: String) -> String? {
    if case .string(let text)? = extras[key] { text } else { nil }
  }

  /// As an oracle writes it.
  var oracleForm: [String: OracleValue] {
    var form: [String: OracleValue] = [:]
    form["kind"] = .text(kind.name.description)
    form["item"] = item.map { .text($0) }
    form["domain"] = domain.value.map { .text($0) }
    form["time"] = isUntimed ? .null : time.map { .time($0.microseconds) }
    form["source"] = source.map { .text($0) }
    form["session"] = session.map { .text($0) }
    form["actor"] = actor.map { .text($0) }
    form["dwell"] = dwell.map { .number($0) }
    form["transition"] = extra("transition").map { .text($0) }
    form["device"] = extra("device").map { .text($0) }
    if visitCount != 1 { form["visits"] = .number(Double(visitCount)) }
    for member in attributes where member.key != "alternateNames" {
      form["attributes." + member.key] = OracleValue(member.value)
    }
    return form
  }
}

/// A value of an oracle's event; numbers to the microsecond.
enum OracleValue: Hashable, CustomStringConvertible {
  case null, text(String), bool(Bool), texts([String])
  case number(Double)
  case time(Int64)

  init(_ value: AttributeValue) {
    switch value {
    case .null, .data: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .number(Double(value))
    case .double(let value): self = .number((value * 1e6).rounded() / 1e6)
    case .string(let value): self = .text(value)
    case .array(let values):
      self = .texts(values.map { if case .string(let text) = $0 { text } else { "\($0)" } })
    }
  }

  /// From JSON; `time` as a time.
  init(json: Any, isTime: Bool) {
    if json is NSNull {
      self = .null
    } else if let number = json as? NSNumber {
      if Self.isBoolean(number) {
        self = .bool(number.boolValue)
      } else {
        self = .number((number.doubleValue * 1e6).rounded() / 1e6)
      }
    } else if let texts = json as? [String] {
      self = .texts(texts)
    } else if let text = json as? String {
      self = isTime ? .time(Timestamp(rfc3339: text)?.microseconds ?? -1) : .text(text)
    } else {
      self = .null
    }
  }

  /// The event of an oracle in the form of ``Event/oracleForm``.
  static func form(_ sample: [String: Any]) -> [String: OracleValue] {
    var form: [String: OracleValue] = [:]
    for (key, value) in sample {
      if key == "attributes", let attributes = value as? [String: Any] {
        for (name, value) in attributes {
          form["attributes." + name] = OracleValue(json: value, isTime: false)
        }
      } else {
        form[key] = OracleValue(json: value, isTime: key == "time")
      }
    }
    return form
  }

  private static func isBoolean(_ number: NSNumber) -> Bool {
    // SAFETY: the type's name is a NUL-ended constant.
    unsafe String(cString: number.objCType) == "c"
  }

  var description: String {
    switch self {
    case .null: "null"
    case .text(let text): text
    case .bool(let value): "\(value)"
    case .texts(let texts): "\(texts)"
    case .number(let value): "\(value)"
    case .time(let value): Timestamp(microseconds: value).rfc3339
    }
  }
}
