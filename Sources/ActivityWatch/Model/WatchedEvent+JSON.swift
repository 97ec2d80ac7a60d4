package import Events

extension WatchedEvent {
  /// Why an event was refused, in words for the client; nothing it sent stands in it.
  package struct Refusal: Error, Sendable {
    package let message: String
  }

  /// The years 1 to 9999 in UTC, in microseconds since 1970: no client can read others.
  private static let times: Range<Int64> = -62_135_596_800_000_000..<253_402_300_800_000_000

  /// An event as a client sends it: `timestamp`, and `duration`, `data` and `id` where it has
  /// them.
  package init(json: JSONValue) throws(Refusal) {
    guard case .object(let members) = json else {
      throw Refusal(message: "An event is a JSON object.")
    }
    guard let text = members["timestamp"]?.string, let time = ActivityTime(text),
      Self.times.contains(time.microseconds)
    else { throw Refusal(message: "An event needs a timestamp in ISO 8601.") }
    var duration: Int64 = 0
    switch members["duration"] {
    case .number(let text)?:
      guard let seconds = Double(text), let read = Self.microseconds(seconds) else {
        throw Refusal(message: "A duration is a number of seconds, of 10,000 years at most.")
      }
      duration = read
    case nil, .null?: break
    default: throw Refusal(message: "A duration is a number of seconds.")
    }
    var id: Int?
    switch members["id"] {
    case .number(let text)?:
      guard let read = Int(text), read >= 0 else {
        throw Refusal(message: "An id is a whole number from 0.")
      }
      id = read
    case nil, .null?: break
    default: throw Refusal(message: "An id is a whole number from 0.")
    }
    var data = JSONObject()
    switch members["data"] {
    case .object(let read)?: data = read
    case nil, .null?: break
    default: throw Refusal(message: "The data of an event is a JSON object.")
    }
    self.init(id: id, start: time.microseconds, duration: duration, data: data)
  }

  /// Seconds as microseconds, to the nearest one as Python's `timedelta` rounds; nil for what is
  /// longer than ``longest``.
  package static func microseconds(_ seconds: Double) -> Int64? {
    let scaled = (seconds * 1_000_000).rounded(.toNearestOrEven)
    guard scaled.isFinite, abs(scaled) <= Double(longest) else { return nil }
    return Int64(scaled)
  }

  /// Appends the event as ActivityWatch gives it; exports leave ids out.
  package func append(to output: inout [UInt8], withID: Bool = true) {
    Self.appendHead(id: id, withID: withID, start: start, duration: duration, to: &output)
    JSONValue.object(data).append(to: &output)
    output.append("}")
  }

  /// Appends what stands before the data of an event.
  static func appendHead(
    id: Int?, withID: Bool = true, start: Int64, duration: Int64, to output: inout [UInt8]
  ) {
    output.append("{")
    if withID {
      output.append("\"id\":")
      if let id { JSONText.append(id, to: &output) } else { output.append("null") }
      output.append(",")
    }
    output.append("\"timestamp\":\"")
    output.append(contentsOf: ActivityTime(microseconds: start).isoformat.utf8)
    output.append("\",\"duration\":")
    JSONText.append(Double(duration) / 1_000_000, to: &output)
    output.append(",\"data\":")
  }
}
