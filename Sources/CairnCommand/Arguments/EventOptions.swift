public import ArgumentParser
public import Cairn

/// What any event may say about itself.
struct EventOptions: ParsableArguments {
  @Option(help: ArgumentHelp("When it happened (cairn help times).", valueName: "time")) var time:
    TimeArgument?

  @Option(help: ArgumentHelp("Who did it.", valueName: "name")) var actor: String?

  @Option(help: ArgumentHelp("The app or importer that tells.", valueName: "name")) var source:
    String?

  @Option(help: ArgumentHelp("The visit it belongs to.", valueName: "name")) var session: String?

  @Option(help: ArgumentHelp("The device it happened on.", valueName: "name")) var device: String?

  @Option(help: ArgumentHelp("A UUID; the same id twice is one event.", valueName: "uuid")) var id:
    EventID?

  /// Refuses an id for several items.
  func requireOneID(for items: [String]) throws {
    guard items.count <= 1 || id == nil else {
      throw ValidationError("--id names one event, and there are several items.")
    }
  }

  /// The event with what was given here.
  func applied(to event: Event) throws(Failure) -> Event {
    var event = event
    if let time { event.time = try time.start("--time") }
    event.actor = actor
    event.source = source
    event.session = session
    event.id = id
    if let device { event.device = device }
    return event
  }
}

extension EventID: ExpressibleByArgument {
  /// An id by its UUID.
  public init?(argument: String) { self.init(uuidString: argument) }
}

extension EventKind: ExpressibleByArgument {
  /// A kind by its name.
  public init?(argument: String) { self.init(name: argument) }

  /// The names of all kinds.
  public static var allValueStrings: [String] { names }
  /// The same names for the shell.
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// What may be known of an item.
struct AttributeOptions: ParsableArguments {
  @Option(help: "Its name, as people see it.") var title: String?

  @Option(help: ArgumentHelp("What it is about (contentDescription).", valueName: "text"))
  var description: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A keyword; may be given several times.", valueName: "word")) var keyword:
    [String] = []

  @Option(help: ArgumentHelp("Its text (textContent).", valueName: "text")) var text: String?

  @Option(help: ArgumentHelp("Its type (contentType), such as public.html.", valueName: "type"))
  var type: String?

  @Option(help: ArgumentHelp("Where it is (contentURL).", valueName: "url")) var url: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Any attribute: key=text, or key:=12, key:=true, key:=[\"a\",\"b\"]; may be given several times.",
      valueName: "key=text|key:=json"), transform: PairArgument.init) var set: [PairArgument] = []

  /// What options of its own say, by the key.
  private var named: [(key: String, value: AttributeValue?)] {
    [
      ("title", title.map { .string($0) }), ("contentDescription", description.map { .string($0) }),
      ("keywords", keyword.isEmpty ? nil : .array(keyword.map { .string($0) })),
      ("textContent", text.map { .string($0) }), ("contentType", type.map { .string($0) }),
      ("contentURL", url.map { .string($0) }),
    ]
  }

  func validate() throws {
    for (key, value) in named where value != nil && set.contains(where: { $0.key == key }) {
      throw ValidationError("'\(key)' is given by --set and by an option of its own.")
    }
  }

  var attributes: Attributes {
    var attributes = Attributes(set.map { ($0.key, $0.value) })
    for (key, value) in named where value != nil { attributes[key] = value }
    return attributes
  }
}
