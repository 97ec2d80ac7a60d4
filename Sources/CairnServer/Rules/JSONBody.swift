import Cairn

/// Bodies that are JSON, by the strict grammar.
enum JSONBody {
  static let depthMax = 64

  /// The object in a body; `extra` levels may stand around what was a body when it was sent.
  /// - Throws: 400 for what is no object, is not UTF-8, nests deeper than 64 levels, has a key
  ///   twice, or has something after its end.
  static func object(_ bytes: [UInt8], isOfWatcher: Bool = false, around extra: Int = 0)
    throws(Refusal) -> JSONObject
  {
    guard case .object(let object) = try value(bytes, isOfWatcher: isOfWatcher, around: extra)
    else { throw Refusal(400, "malformed", "the body is no JSON object", place: "body") }
    return object
  }

  /// The value in a body.
  ///
  /// A watcher sends titles as programs cut them, within a character too, and forgets what is
  /// refused: it gets U+FFFD for half a surrogate pair.
  static func value(_ bytes: [UInt8], isOfWatcher: Bool = false, around extra: Int = 0)
    throws(Refusal) -> JSONValue
  {
    do {
      return try JSONValue(
        parsing: bytes.span, refusesDuplicateKeys: true, replacesHalfPairs: isOfWatcher,
        depthMax: depthMax + extra)
    } catch {
      let offset = error.offset.map { " (byte \($0))" } ?? ""
      throw Refusal(
        400, "malformed", "the body is no JSON as it is taken: \(error.message)\(offset)",
        place: "body")
    }
  }
}
