package import Cairn

/// Why a request is not answered as asked: one line that says what, where and what to do.
package struct Refusal: Error {
  /// The status of the answer (RFC 9110 §15).
  package var status: Int
  /// A word that programs can rely on.
  package var code: String
  package var message: String
  /// The parameter, or the place in the body, that is meant.
  package var place: String?
  /// Headers of the answer beside those of every answer.
  package var headers: [Header]
  /// The exception that ActivityWatch has for it.
  package var kind: String?
  /// A JSON object that the answer also holds, already written.
  package var members: [(name: StaticString, json: [UInt8])] = []

  package init(
    _ status: Int, _ code: String, _ message: String, place: String? = nil, headers: [Header] = []
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.place = place
    self.headers = headers
  }

  /// What an error of the engine means to a client.
  package init(_ error: CairnError, place: String? = nil) {
    let (status, code): (Int, String) =
      switch error.code {
      case .badArgument, .badQuery, .malformed: (400, error.code.description)
      case .noSuchPoint: (404, "noSuchPoint")
      case .nameTaken: (409, "nameTaken")
      case .conflict, .aborted: (412, "conflict")
      case .badEvent: (422, "badEvent")
      case .busy, .readersFull: (503, "busy")
      case .diskFull, .mapFull: (507, "diskFull")
      case .readOnly: (403, "readOnly")
      case .missing, .notAStore, .unsupportedFormat, .corrupt, .io:
        (500, error.code.description)
      default: (500, "internal")
      }
    let offset = error.offset.map { " (byte \($0))" } ?? ""
    let remedy = error.likelyRemedy.map { "; \($0)" } ?? ""
    self.init(
      status, code, error.message + offset + remedy,
      // The engine's word for what nearly every route calls so.
      place: place ?? (error.place == "point" ? "asOf" : error.place),
      headers: status == 503 ? Self.soon : [])
  }

  /// The methods of all routes together.
  package static let allMethods = Header("Allow", "DELETE, GET, HEAD, OPTIONS, POST, PUT")

  /// The client went away: nobody is there to be told.
  package static let gone = Refusal(0, "gone", "the client went away")

  package static func notFound(_ message: String) -> Refusal { Refusal(404, "notFound", message) }

  /// A parameter that is not as it should be.
  package static func parameter(_ name: String, _ message: String) -> Refusal {
    Refusal(400, "badArgument", message, place: name)
  }

  static let unauthorized = Refusal(
    401, "unauthorized", "a token is needed: Authorization: Bearer TOKEN, with one of the store",
    headers: [Header("WWW-Authenticate", "Bearer")])

  package static let tooMany = Refusal(
    503, "tooMany", "too many requests wait; try again in a second", headers: soon)

  static let tooManyFeeds = Refusal(
    503, "tooMany",
    "too many feeds are open, \(ServiceLimits.feedCount) at most; close one, or try again",
    headers: soon)

  private static let soon = [Header("Retry-After", "1")]

  /// A name that a client wrote, as far as it can be one of ours; nil for other texts.
  package static func place(_ name: String) -> String? {
    let isName = name.allSatisfy { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber || letter == "_" || letter == "-")
    }
    return isName && !name.isEmpty && name.utf8.count <= 64 ? name : nil
  }

  package static let timeout = Refusal(
    503, "timeout", "the answer took longer than 30 seconds; ask for less")
}

/// What a call of the engine gives; its error becomes a refusal.
package func answering<R: ~Copyable>(
  _ body: @autoclosure () throws(CairnError) -> R
) throws(Refusal) -> R {
  do { return try body() } catch { throw Refusal(error) }
}

/// The same, for more than one call.
package func answering<R: ~Copyable>(_ body: () throws(CairnError) -> R) throws(Refusal) -> R {
  do { return try body() } catch { throw Refusal(error) }
}

/// The same for a comparison of two points: the earlier one is the one that may be gone.
func differing<R>(_ from: Moment, _ to: Moment, _ body: () throws(CairnError) -> R)
  throws(Refusal) -> R
{
  do { return try body() } catch {
    let earlier = from.sequence <= to.sequence ? "from" : "to"
    throw Refusal(error, place: error.code == .noSuchPoint ? earlier : nil)
  }
}
