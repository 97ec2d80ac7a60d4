import Cairn

extension Service {
  static let appendRoutes = [
    Route(
      "POST", "/api/v1/events", .ingest,
      "Append an event, {\"events\":[…]}, or lines of events of any number; on disk before it answers",
      body: .events, lane: .stream, ownStatuses: [422], run: append)
  ]

  private static func append(_ call: Call) throws(Refusal) -> Answer? {
    let expected = try expectedHead(call.request)
    let type = call.request.value("content-type").flatMap(MediaType.name)
    var intake = EventIntake(call, expecting: expected)
    if type == MediaType.ndjson {
      var lines = BodyLines(call.exchange.body)
      do throws(Refusal) { try intake.take(&lines) } catch {
        throw intake.settle(after: error, for: call.service)
      }
    } else {
      let bytes = try call.wholeBody()
      for (index, range) in try EventDocument.events(in: bytes).enumerated() {
        try intake.add(bytes[range], line: index + 1)
      }
      try intake.finish()
    }
    call.service.noteTaken(by: intake)
    return intake.answer
  }

  /// The sequence of `If-Match`: the log must end there.
  private static func expectedHead(_ request: Request) throws(Refusal) -> UInt64? {
    let values = request.values("if-match")
    guard let first = values.first else { return nil }
    guard values.count == 1, let sequence = UInt64(first.filter { $0 != "\"" }) else {
      throw .parameter("If-Match", "takes the sequence that the log ends at, in quotes")
    }
    return sequence
  }
}

/// Events of one JSON document: an object that is one, or an object with a list of them.
enum EventDocument {
  /// Where each event stands in the bytes.
  /// - Throws: 400 when the bytes are no such JSON.
  static func events(in bytes: [UInt8]) throws(Refusal) -> [Range<Int>] {
    let object = try JSONBody.object(bytes)
    guard object["kind"] == nil, let list = object["events"] else {
      return [bytes.startIndex..<bytes.endIndex]
    }
    guard case .array = list, object.count == 1 else {
      throw Refusal(
        400, "malformed", "\"events\" is a list, and nothing may stand beside it", place: "body")
    }
    return elements(of: bytes)
  }

  /// The elements of the one array in an object that was found to be JSON.
  private static func elements(of bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    // How many brackets are open before a byte, and whether it stands in a text.
    var (depth, isInText, isEscaped) = (0, false, false)
    for (index, byte) in bytes.enumerated() {
      if isInText {
        isInText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      if depth == 2 {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"):
          if let first = start { ranges.append(first..<index) }
          start = nil
        case 0x20, 0x09, 0x0A, 0x0D: break
        default: start = start ?? index
        }
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return ranges
  }
}
