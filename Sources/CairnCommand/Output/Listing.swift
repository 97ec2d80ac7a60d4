import Cairn

/// What only people at a terminal are told around a list.
enum Listing {
  /// Names of the columns over them.
  static func heading(
    _ names: [String], _ table: Table, _ options: StoreOptions, to output: inout Output
  ) throws(Failure) {
    guard Terminal.outputIsTerminal, !options.json else { return }
    try output.line(table.row(names))
  }

  /// How many there were, or an answer where there are none.
  static func ending(_ count: Int, _ noun: String, none: String, _ options: StoreOptions) {
    guard Terminal.errorsAreTerminal, !options.json else { return }
    if count == 0 {
      Diagnostics.line(none)
    } else if Terminal.outputIsTerminal {
      Diagnostics.line(Readable.count(count, noun))
    }
  }

  /// What a list of events says where it is empty.
  static func noEvent(_ moment: Moment) -> String {
    moment.sequence == 0 ? "nothing is recorded yet" : "no event fits"
  }

  /// What may be meant by a domain in which nothing was found: to people, that there is none of
  /// that name; to programs as well, the one that the pages of a host are in which is named so.
  static func tellOfDomain(_ domain: String?, _ moment: Moment, toPrograms: Bool = false)
    throws(Failure)
  {
    guard let domain else { return }
    if toPrograms || Terminal.errorsAreTerminal {
      let near = try answering { () throws(CairnError) in
        let alike = try moment.domains(like: domain)
        return alike.isEmpty ? try nearest(to: domain, moment) : alike
      }
      offer("--domain", "domain", domain, near)
    }
    let labels = domain.lowercased().split(separator: ".")
    let other = "web." + labels.reversed().joined(separator: ".")
    guard labels.count > 1 else { return }
    let count = try answering(
      moment.itemCount(domain: domain) == 0 ? try moment.itemCount(domain: other) : 0)
    guard count > 0 else { return }
    Diagnostics.line(
      "cairn: --domain: pages of \(DisplayText.harmless(domain)) are in another domain, with "
        + "\(Readable.count(count, "item")): --domain \(DisplayText.harmless(other))")
  }

  /// The domain beside one that is written almost so.
  private static func nearest(to domain: String, _ moment: Moment) throws(CairnError) -> [String] {
    let parent = domain.lastIndex(of: ".").map { String(domain[..<$0]) }
    let beside = try moment.domains(below: parent).map(\.domain)
    return Spelling.nearest(to: domain, among: beside).map { [$0] } ?? []
  }

  /// Says that nobody has done anything under a name, and who is called almost so.
  static func tellOfActor(_ actor: String?, _ moment: Moment) throws(Failure) {
    guard let actor else { return }
    offer("--actor", "actor", actor, try answering(moment.actors(like: actor)))
  }

  /// Says that no event has a name, and which ones are like it.
  private static func offer(_ option: String, _ noun: String, _ name: String, _ near: [String]) {
    guard !near.contains(name) else { return }
    let names = near.prefix(3).map { "\(option) '\(DisplayText.harmless($0))'" }
    Diagnostics.line(
      "cairn: no \(noun) is named '\(DisplayText.harmless(name))'"
        + (names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"))
  }

  /// Says that no event is about an item, and what to do then; whether that is so.
  static func isReportedUnknown(_ item: String, _ store: Store, _ advice: String) throws(Failure)
    -> Bool
  {
    guard try answering(store.events(EventQuery(item: item, limit: 1))).isEmpty else {
      return false
    }
    Diagnostics.line("cairn: no event is about an item '\(DisplayText.fit(item, 60))'; \(advice)")
    return true
  }

  /// Names that no item has in a filter that let nothing through: a slip, most likely.
  static func tellOfUnusedNames(_ filter: String?, _ moment: Moment) throws(Failure) {
    guard let filter else { return }
    let names = try answering(moment.unusedNames(in: filter))
    for name in names {
      let near = Spelling.nearest(to: name, among: FilterSyntax.attributes.map(\.name))
      let offer = near.map { "; did you mean \($0)?" } ?? ";"
      Diagnostics.line(
        "cairn: --filter: no item has an attribute '\(name)'\(offer) see: cairn help filters")
    }
  }
}
