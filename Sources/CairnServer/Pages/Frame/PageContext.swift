import Cairn

/// What every page knows: the point it shows, and how links keep it.
struct PageContext {
  let call: Call
  let moment: Moment
  let head: UInt64
  /// The point in the address; nil for the present.
  let asOf: UInt64?
  /// Whether its address takes another point.
  let travels: Bool
  let words: TimeWords

  var isPast: Bool { asOf != nil }
  var store: Store { call.store }

  /// Whether the one who looks may change things.
  func allows(_ scope: Scope) -> Bool {
    call.identity?.scope.allows(scope) == true && !call.service.options.isReadOnly
  }

  /// What a page's address names.
  enum Point {
    case shown(PageContext)
    /// The address is to name the point exactly: by its sequence, or not at all for the present.
    case redirect(PageLink)
  }

  /// Reads the point in the address; one given as a time, a day or a name leads to its sequence.
  static func point(_ call: Call) throws(Refusal) -> Point {
    let present = try answering(call.store.at())
    guard let text = call.parameters.filled("day") ?? call.parameters.filled("asOf") else {
      return .shown(PageContext(call, present, head: present.sequence, asOf: nil))
    }
    let isNumber = text.utf8.allSatisfy(\.isASCIIDigit)
    let moment = try call.moment(text, "asOf")
    guard isNumber, call.parameters.text("day") == nil, moment.sequence < present.sequence else {
      let isPresent = moment.sequence >= present.sequence
      return .redirect(
        link(call, [("asOf", isPresent ? nil : String(moment.sequence)), ("day", nil)]))
    }
    return .shown(PageContext(call, moment, head: present.sequence, asOf: moment.sequence))
  }

  /// What a form of a page is answered with, and forgetting is shown at: the present alone.
  static func present(_ call: Call) throws(Refusal) -> PageContext {
    let moment = try answering(call.store.at())
    return PageContext(call, moment, head: moment.sequence, asOf: nil, travels: false)
  }

  private init(_ call: Call, _ moment: Moment, head: UInt64, asOf: UInt64?, travels: Bool = true) {
    self.call = call
    self.moment = moment
    self.head = head
    self.asOf = asOf
    self.travels = travels
    words = TimeWords(now: .now(), zone: .local)
  }

  /// A link to one of our pages at the point shown.
  func link(_ path: StaticString, _ query: [(String, String?)] = []) -> PageLink {
    PageLink(path, query + [("asOf", asOf.map(String.init))])
  }

  /// This page with some values of its query in place of others.
  func here(_ changes: [(String, String?)]) -> PageLink { Self.link(call, changes) }

  private static func link(_ call: Call, _ changes: [(String, String?)]) -> PageLink {
    let kept = call.target.query.filter { pair in !changes.contains { $0.0 == pair.name } }
    return PageLink(
      checked: call.target.encodedPath, kept.map { ($0.name, Optional($0.value)) } + changes)
  }

  /// What the address holds beside the point, for forms that change the point alone.
  var otherValues: [(name: String, value: String)] {
    call.target.query.filter { $0.name != "asOf" && $0.name != "day" }
  }
}

extension Moment {
  /// Whether no event tells when it was: none came before it, or none of them is left.
  var hasNoTime: Bool { sequence == 0 || clock == Timestamp(seconds: 0) }
}
