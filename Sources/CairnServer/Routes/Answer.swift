import Importers
package import Rows
import Values

/// What a handler gives; the headers of every answer are added to it.
package struct Answer: Sendable {
  package var status: Int
  package var contentType: String?
  package var headers: [Header]
  package var body: [UInt8]
  /// The point that it was made at.
  package var sequence: UInt64?
  /// What its `ETag` is made of, when that is not the body.
  package var tagged: [UInt8]?
  /// What an assistant called, for the log: a name of ours.
  package var called: String?
  /// In place of all that, where the answer is not there yet: what makes it, and tells.
  var later: (@Sendable (@escaping Telling) -> Void)?

  /// Gets an answer, once, on whichever thread has it.
  typealias Telling = @Sendable (Result<Answer, Refusal>) -> Void

  package init(
    _ status: Int = 200, _ contentType: String? = nil, _ body: [UInt8] = [],
    headers: [Header] = [], at sequence: UInt64? = nil
  ) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.headers = headers
    self.sequence = sequence
  }

  package static func object(
    _ status: Int = 200, at sequence: UInt64? = nil, _ write: (inout JSONLine) -> Void
  ) -> Answer {
    Answer(status, MediaType.json, JSONLine.line(write), at: sequence)
  }

  /// A page of rows, and what a list holds beside them.
  static func page(
    at sequence: UInt64, next: String?, more: (inout JSONLine) -> Void = { _ in },
    rows: (inout JSONLine) -> Void
  ) -> Answer {
    var tagged: [UInt8] = []
    var answer = object(at: sequence) { line in
      rows(&line)
      line.field("sequence", sequence)
      // Where the next page is names the clock too, and an old one leads to the same page.
      tagged = line.bytes
      line.field("next", optional: next)
      more(&line)
    }
    answer.tagged = tagged
    return answer
  }

  /// JSON that is written already.
  package static func json(_ bytes: [UInt8], at sequence: UInt64? = nil) -> Answer {
    Answer(200, MediaType.json, bytes, at: sequence)
  }

  /// An answer that no thread waits for.
  static func later(_ make: @escaping @Sendable (@escaping Telling) -> Void) -> Answer {
    var answer = Answer()
    answer.later = make
    return answer
  }

  static let emptyObject = json(Array("{}".utf8))

  package static func text(_ text: String, at sequence: UInt64? = nil) -> Answer {
    Answer(200, MediaType.text, Array(text.utf8), at: sequence)
  }
}

/// Types of bodies (RFC 9110 §8.3).
package enum MediaType {
  package static let json = "application/json"
  package static let ndjson = "application/x-ndjson"
  package static let text = "text/plain; charset=utf-8"
  package static let csv = "text/csv; charset=utf-8"
  package static let html = "text/html; charset=utf-8"
  package static let events = "text/event-stream"
  package static let bytes = "application/octet-stream"
  package static let form = "application/x-www-form-urlencoded"

  /// The type without its parameters, in lower case; nil for another character set than UTF-8.
  static func name(of value: String) -> String? {
    // As most clients write it.
    if value == json { return json }
    let parts = value.split(separator: ";").map { part in
      part.lowercased().filter { !$0.isWhitespace }
    }
    for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
      guard ["charset=utf-8", "charset=\"utf-8\""].contains(parameter) else { return nil }
    }
    return parts.first
  }
}

package enum RefusalForm: Sendable {
  /// To programs.
  case json
  /// As ActivityWatch tells it.
  case watched
  /// To somebody in front of a browser.
  case page
}

extension Request {
  /// How the one who asks reads best why there is no answer.
  var refusalForm: RefusalForm {
    if target.hasPrefix("/api/0/") { return .watched }
    return values("accept").contains { $0.lowercased().contains("text/html") } ? .page : .json
  }
}

extension Refusal {
  /// The answer that tells of it.
  /// - Returns: Head and body.
  package func answer(requestID: String, as form: RefusalForm = .json) -> (AnswerHead, [UInt8]) {
    var answer = form == .page ? ErrorPage.answer(self) : .json(json(isWatched: form == .watched))
    answer.headers += headers + CommonHeaders.list(requestID: requestID)
    if let type = answer.contentType { answer.headers.append(Header("Content-Type", type)) }
    return (AnswerHead(status, answer.headers), answer.body)
  }

  private func json(isWatched: Bool) -> [UInt8] {
    JSONLine.line { line in
      if isWatched {
        if let kind { line.field("type", kind) }
        line.field("message", message)
      } else {
        line.object("error", fields)
      }
      for (name, json) in members { line.field(name, json: json) }
    }
  }

  /// The members of an object that tells of it.
  func fields(_ line: inout JSONLine) {
    line.field("code", code)
    line.field("message", message)
    if let place { line.field("place", place) }
  }
}

extension AnswerStream {
  /// Says why there is no answer, unless one was begun.
  package func refuse(_ refusal: Refusal, to request: Request) {
    let (head, body) = refusal.answer(requestID: request.id, as: request.refusalForm)
    answer(head, body)
  }
}

package enum CommonHeaders {
  package static func list(requestID: String) -> [Header] {
    [
      Header("Date", MailTime.text(Timestamp.now().seconds)),
      Header("Cache-Control", "no-store"), Header("X-Content-Type-Options", "nosniff"),
      Header("Referrer-Policy", "no-referrer"),
      Header("Cross-Origin-Resource-Policy", "same-origin"), Header("Server", "cairn"),
      Header("X-Request-Id", requestID),
    ]
  }
}
