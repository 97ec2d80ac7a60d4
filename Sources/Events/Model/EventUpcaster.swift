package import Values

/// Brings an application's older events to the shape it has today.
///
/// Applied whenever events are folded; the log keeps them as they were recorded, and `log`,
/// `replay` and `export` give them so. The closure gets each `index`, `update` and `view` with
/// attributes in its domain, old and new, and leaves alone what has today's shape. It may change
/// attributes, nothing else, and is a function of the event alone: no clock, no random numbers, no
/// state, no order of a dictionary. Every event is run twice and held against itself.
///
/// ```swift
/// let minutes = EventUpcaster("minutes", version: 1, domain: "films") { event in
///   guard case .integer(let seconds)? = event.attributes["ex_seconds"] else { return event }
///   var event = event
///   event.attributes["ex_seconds"] = nil
///   event.attributes["ex_minutes"] = .integer(seconds / 60)
///   return event
/// }
/// ```
public struct EventUpcaster: Sendable {
  /// Its name: 1 to 64 letters, digits, `_` or `-`, ASCII.
  public let name: String
  /// Its version, from 1: who changes the closure raises it, and projections are made anew.
  public let version: Int
  /// The domain whose events it gets, with those below it; empty for all events.
  ///
  /// An event belongs to the domain it names, else to its item's.
  public let domain: String
  /// What it does.
  public let upcast: @Sendable (Event) -> Event

  /// Makes one.
  public init(
    _ name: String, version: Int, domain: String = "",
    _ upcast: @escaping @Sendable (Event) -> Event
  ) {
    self.name = name
    self.version = version
    self.domain = domain
    self.upcast = upcast
  }
}

/// The upcasters of an application that a log's projections are made with, in their order.
package struct EventUpcasters: Sendable {
  /// Their names, versions and domains as they are recorded; empty for none.
  package let identity: String
  /// Themselves; nil where this program lacks them.
  package let closures: [EventUpcaster]?

  package static let none = EventUpcasters(identity: "", closures: [])

  /// Recorded ones, and those that a program was given.
  package init(identity: String, closures: [EventUpcaster]?) {
    self.identity = identity
    self.closures = closures
  }

  /// Those that a program was given.
  /// - Throws: `.badArgument` for a name or version that cannot be, or a name that comes twice.
  package init(_ given: [EventUpcaster]) throws(CairnError) {
    var names: Set<String> = []
    for upcaster in given {
      guard (1...64).contains(upcaster.name.utf8.count),
        upcaster.name.utf8.allSatisfy({ $0.isASCIIWord || $0 == UInt8(ascii: "-") }),
        upcaster.version >= 1, upcaster.domain.utf8.allSatisfy({ $0 >= 0x20 })
      else {
        throw CairnError(
          .badArgument,
          "an upcaster has a name of 1 to 64 letters, digits, _ or -, a version from 1 and a domain",
          place: "upcasters")
      }
      guard names.insert(upcaster.name).inserted else {
        throw CairnError(
          .badArgument, "two upcasters are called \(upcaster.name)", place: "upcasters")
      }
    }
    identity = given.map { "\($0.name) \($0.version) \($0.domain)" }.joined(separator: "\n")
    closures = given
  }

  /// Throws where projections are made with upcasters that this program lacks.
  package func require() throws(CairnError) {
    guard closures == nil else { return }
    let names = identity.split(separator: "\n").map { line in
      line.split(separator: " ").prefix(2).joined(separator: " version ")
    }
    throw CairnError(
      .conflict,
      "events of this store are read through upcasters of an application that this program lacks: "
        + "\(names.joined(separator: ", ")); write to it with that application")
  }

  /// The attributes of a recorded event as all upcasters that cover its domain make them.
  /// - Throws: `.conflict` where the upcasters are missing, `.badArgument` where one gives other
  ///   bytes on a second run, changes more than attributes or gives none that can be stored.
  /// - Complexity: Two runs of each closure.
  package func attributes(of event: Event, where covers: (String) -> Bool) throws(CairnError)
    -> Attributes
  {
    try require()
    var event = event
    for upcaster in closures ?? [] where covers(upcaster.domain) {
      event = try Self.apply(upcaster, to: event)
    }
    return event.attributes
  }

  private static func apply(_ upcaster: EventUpcaster, to event: Event) throws(CairnError) -> Event
  {
    func refuse(_ what: String) -> CairnError {
      CairnError(
        .badArgument, "\(what); it has to be a function of the event's attributes",
        place: "upcaster \(upcaster.name) version \(upcaster.version)")
    }
    let (made, again) = (upcaster.upcast(event), upcaster.upcast(event))
    var bytes: [[UInt8]] = []
    for run in [made, again] {
      var same = run
      same.attributes = event.attributes
      guard same == event else { throw refuse("changed more than attributes") }
      guard run.attributes.allSatisfy({ isFinite($0.value) }) else {
        throw refuse("gave a number that is none")
      }
      do throws(CairnError) {
        bytes.append(try run.encoded(byEngine: true).payload)
      } catch { throw refuse("gave attributes that cannot be stored") }
    }
    guard bytes[0] == bytes[1] else { throw refuse("gave other bytes on a second run") }
    return made
  }

  private static func isFinite(_ value: AttributeValue) -> Bool {
    switch value {
    case .double(let number): number.isFinite
    case .array(let elements): elements.allSatisfy(isFinite)
    default: true
    }
  }
}
