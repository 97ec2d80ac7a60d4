import ArgumentParser
import Cairn

struct Index: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "index", abstract: "Put an item in, or put it anew.",
    discussion: """
      Replaces what was known of the item, its domain too; its counters go on.

      Examples:
        cairn index report-7 --domain work --title 'Harbour survey' --keyword tide
        cairn index book-1 --title 'The Sea Wolf' --set pages:=366 --set read:=true
      """, aliases: ["add"])

  @Argument(help: "The item's identifier.", completion: .items) var item: String

  @Option(help: ArgumentHelp("Where it belongs, such as com.example.mail.", valueName: "domain"))
  var domain: String?

  @Option(help: .expires) var expires: ExpiryArgument?

  @OptionGroup var attributes: AttributeOptions
  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions

  func run() throws(Failure) {
    let version = Event(
      kind: .index, item: item, domain: domain.map { .value($0) } ?? .absent,
      attributes: attributes.attributes, expires: try expires?.change() ?? .absent)
    try writer.record([try event.applied(to: version)])
  }
}

struct Update: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Change some of what is known of an item.",
    discussion: """
      What is not named stays. On an item that is not there: recorded, no effect.

      Examples:
        cairn update report-7 --title 'Harbour survey 2026' --unset comment
        cairn update report-7 --add keywords=tide --remove keywords=draft
      """)

  @Argument(help: "The item's identifier.", completion: .items) var item: String

  @Option(help: ArgumentHelp("Move it to this domain.", valueName: "domain")) var domain: String?

  @Flag(help: "Take it out of its domain.") var noDomain = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Take an attribute away; may be given several times.", valueName: "key"))
  var unset: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Add to a list, such as keywords=tide or years:=1999; may be given several times.",
      valueName: "key=text|key:=json"), transform: PairArgument.init) var add: [PairArgument] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Take out of a list, such as keywords=draft; may be given several times.",
      valueName: "key=text|key:=json"), transform: PairArgument.init) var remove: [PairArgument] =
      []

  @Option(help: .expires) var expires: ExpiryArgument?

  @OptionGroup var attributes: AttributeOptions
  @OptionGroup var event: EventOptions
  @OptionGroup var writer: WriterOptions

  func validate() throws {
    try requireAtMostOne(of: (domain != nil, "--domain"), (noDomain, "--no-domain"))
    let given = attributes.attributes
    if let key = unset.first(where: { given[$0] != nil }) {
      throw ValidationError("'\(key)' is given a value and taken away by --unset.")
    }
  }

  func run() throws(Failure) {
    var changed = attributes.attributes
    for key in unset { changed[key] = .null }
    let update = try event.applied(
      to: Event(
        kind: .update, item: item,
        domain: noDomain ? .cleared : domain.map { .value($0) } ?? .absent, attributes: changed,
        expires: try expires?.change() ?? .absent))
    if add.isEmpty, remove.isEmpty {
      try writer.options.tellOfMissing([item])
      return try writer.record([update])
    }
    guard try writer.record(update, about: item, changeLists) else {
      throw Failure(.no, "no such item, so it has no lists; put it in with: cairn index")
    }
  }

  /// Gives an update the lists as they are now, with what is added and without what is removed.
  private func changeLists(_ update: inout Event, of found: Item, in store: Store)
    throws(CairnError)
  {
    // An item shows what came by an older name under the one that its schema declares.
    let place = noDomain ? "" : domain ?? found.domain ?? ""
    let names = try store.schema.map { $0.definition.effective(place).names }
    func name(_ pair: PairArgument) -> String { names?[pair.key] ?? pair.key }
    for key in Set((add + remove).map(name)) {
      var values = (update.attributes[key] ?? found.attributes[key])?.array ?? []
      for pair in add where name(pair) == key && !values.contains(pair.value) {
        values.append(pair.value)
      }
      for pair in remove where name(pair) == key { values.removeAll { $0 == pair.value } }
      update.attributes[key] = values.isEmpty ? .null : .array(values)
    }
  }
}
