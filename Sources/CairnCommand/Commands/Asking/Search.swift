public import ArgumentParser
public import Cairn
import Rows

struct Search: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find items by their words.",
    discussion: """
      All words must match, the last one may be unfinished, and typing errors are forgiven in \
      longer words. Text in double quotes is a phrase. --queries answers many queries, one JSON \
      object a line, with the options' names as keys (asOf for --as-of).

      Examples, the last for a schema that declares both (cairn help schemas):
        cairn search harbour survey
        cairn search '"harbour survey"' --domain work
        cairn search tide --filter 'pageCount > 10' --as-of 'last monday'
        cairn search tide --fields contentURL,authorNames --json
        cairn search tide --sort year:desc --facet genre --facet year:0
      """)

  @Argument(help: "What to search for; several words make one query.") var words: [String] = []

  @Option(
    help: ArgumentHelp("Answer the queries in this file; - is standard input.", valueName: "file"),
    completion: .file()) var queries: String?

  @Option(help: "Whether all words must match, any of them, or all as a phrase.") var match =
    SearchRequest.Mode.all

  @Flag(help: "Whole words only: nothing unfinished, no typing errors.") var exact = false

  @Option(
    help: ArgumentHelp(
      """
      Look through the endings of a language: en finds running for run; off for none; auto for \
      that of the texts, where fewer than five items have the words.
      """, valueName: "language")) var stem = LanguageArgument.auto

  @Option(help: .domain, completion: .domains) var domain: String?

  @Option(help: .filter) var filter: String?

  @Option(help: ArgumentHelp("Only items used or changed then or later.", valueName: "time"))
  var since: TimeArgument?

  @Option(help: ArgumentHelp("Only items used or changed then or earlier.", valueName: "time"))
  var until: TimeArgument?

  @Option(
    help: ArgumentHelp(
      """
      By relevance, recent (last use), frequent (frecency), or KEY[:asc|desc] that the schema \
      declares sortable.
      """, valueName: "order")) var sort = SearchRequest.Sort.relevance

  @OptionGroup var facets: FacetOptions

  @Option(name: .limit, help: .limit) var limit: CountArgument = 10

  @Option(help: .offset) var offset: CountArgument = 0

  @Option(help: .now) var now: TimeArgument?

  @OptionGroup var weights: ScaleOptions

  @Option(
    help: ArgumentHelp(
      "Show these attributes instead of the snippet, which is one of the names: url,snippet.",
      valueName: "names")) var fields: FieldsArgument?

  @Flag(help: "Show how each score came about.") var explain = false

  @OptionGroup var context: ContextOptions
  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  /// The words as one text; nil without any.
  private var query: String? { words.isEmpty ? nil : words.joined(separator: " ") }

  func validate() throws {
    guard (query == nil) != (queries == nil) else {
      throw ValidationError("Give a query, or --queries FILE.")
    }
  }

  func run() throws(Failure) {
    var request = SearchRequest(query ?? "")
    request.mode = match
    request.isExact = exact
    request.language = stem.language
    request.findsLanguage = stem.isFound
    request.domain = domain
    request.filter = filter
    request.within = try TimeArgument.span(since, until)
    request.sort = sort
    request.facets = facets.facet.map(\.facet)
    request.groupBy = facets.groupBy?.group
    request.limit = limit.limit
    request.offset = offset.value
    request.explains = explain
    request.context = context.context
    if let queries {
      let store = try options.openForReading()
      let defaults = QueryLine(
        request: request, point: try point.point(of: store), now: try now?.start("--now"),
        scales: weights.scales, names: fields?.names, zone: .chosen)
      var stream = QueryStream(store: store, defaults: defaults, json: options.json)
      return try stream.run(queries)
    }
    let moment = try options.moment(point, now: now, scales: weights.scales)
    try SearchAnswer(
      request: request, moment: moment, json: options.json, names: fields?.names
    ).write()
  }
}

/// Names of attributes, with commas between them.
struct FieldsArgument: ExpressibleByArgument {
  let names: Set<String>

  init?(argument: String) {
    guard let names = QueryLine.names(in: argument) else { return nil }
    self.names = names
  }
}

/// A language by its code, `auto` or `off`.
struct LanguageArgument {
  static let auto = LanguageArgument(language: nil, isFound: true)

  var language: SearchLanguage?
  /// Whether it is that of the texts.
  var isFound = false
}

extension LanguageArgument: ExpressibleByArgument {
  init?(argument: String) {
    if argument == "off" || argument == "auto" {
      self.init(language: nil, isFound: argument == "auto")
    } else if let language = SearchLanguage(argument) {
      self.init(language: language)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { ["auto", "off"] + SearchLanguage.codes }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { language?.code ?? (isFound ? "auto" : "off") }
}

extension SearchRequest.Mode: ExpressibleByArgument {}
extension SearchRequest.Sort: ExpressibleByArgument {
  /// What an error says may stand there.
  public static var allValueStrings: [String] { allCases.map(\.rawValue) + ["KEY[:asc|desc]"] }
  /// A shell completes only what can stand as it is.
  public static var defaultCompletionKind: CompletionKind { .list(allCases.map(\.rawValue)) }
}
