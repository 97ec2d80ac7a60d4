import ArgumentParser
import Cairn
import WebMarkup

struct ImportWeb: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "import-web",
    abstract: "Take in web pages: what their markup says becomes items.",
    usage: "cairn import web SOURCE ... [--base URL] [--site] [--depth STEPS] [--dry-run]",
    discussion: """
      Reads saved pages (HTML, MHTML, SingleFile), web archives (WARC), browsers' archives of \
      requests (HAR), folders of these, - for HTML on standard input, and URLs, which are fetched \
      as robots.txt allows, one a second. A page that an app or an activity knows by the same URL \
      is one item with theirs. Importing the same again adds nothing; a page that is gone or asks \
      not to be indexed takes its item away. A crawl that is killed goes on where it was.
      """, shouldDisplay: CompletionScript.isWanted)

  /// The words of a line with `import web` as the one command it is: `import` itself takes words,
  /// and would look for a file of that name.
  static func line(from words: [String]) -> [String] {
    let name = configuration.commandName ?? ""
    if words.starts(with: ["import", "web"]) { return [name] + words.dropFirst(2) }
    if words.starts(with: ["help", "import", "web"]) {
      return ["help", name] + words.dropFirst(3)
    }
    return words
  }

  @Argument(help: "Pages, archives, folders of them, and URLs.", completion: .file())
  var sources: [String]
  @Option(help: ArgumentHelp("Where the files' pages come from.", valueName: "url"))
  var base: String?
  @Option(
    help: ArgumentHelp("The files' host's apple-app-site-association.", valueName: "file"),
    completion: .file()) var aasa: String?
  @Option(help: ArgumentHelp("Refuse pages of more bytes than this.", valueName: "bytes"))
  var maxBytes = PageFiles.byteCountMax
  @Flag(help: "Say what would become of each page, and change nothing.") var dryRun = false
  @Option(
    help: ArgumentHelp("Write the names of refused pages to this file.", valueName: "file"),
    completion: .file()) var rejects: String?

  @OptionGroup(title: "Fetching") var fetching: FetchOptions
  @OptionGroup(title: "Crawling") var crawling: CrawlOptions
  @OptionGroup var writer: WriterOptions

  func validate() throws {
    guard !sources.isEmpty else { throw ValidationError("Name pages, archives or folders.") }
    if let base, WebURL(base)?.isHTTP != true {
      throw ValidationError("--base takes an http or https URL.")
    }
    guard maxBytes > 0 else { throw ValidationError("--max-bytes takes a number from 1.") }
  }

  func run() throws(Failure) {
    let files = sources.filter { !Self.isURL($0) }
    try writer.options.refuseStoreFile(rejects)
    let sink = try EventSink(batchCount: 512, rejects: rejects, inputs: files) {
      () throws(Failure) in try writer.open()
    }
    let session = PageSession(
      sink: dryRun ? nil : sink, known: try known(sink), json: writer.options.json)
    var reader = PageFiles(
      base: base,
      association: try aasa.map { path throws(Failure) in try Inspect.association(path) },
      agent: fetching.agent)
    reader.limit = maxBytes
    for source in files { try session.read(source, reader) }
    if !dryRun { try noteTimes(of: &session.pages, sink) }
    var urls: [WebURL] = []
    for source in sources { if let url = try Self.url(source) { urls.append(url) } }
    if !urls.isEmpty { try crawl(urls, session, sink) }
    try session.finish()
  }

  /// Remembers when pages were seen as they are, or were gone: an older capture may be imported
  /// later.
  private func noteTimes(of pages: inout PageImport, _ sink: EventSink) throws(Failure) {
    let ended = pages.takeEnded()
    guard !pages.seen.isEmpty || !ended.isEmpty else { return }
    _ = try sink.opened()
    let journal = try CrawlJournal(in: try writer.options.directory, key: "", isFresh: true)
    for (url, time) in pages.seen { journal.noteSeen(url, time.seconds) }
    for (url, time) in ended { journal.noteEnd(url, time) }
    try journal.end()
  }

  static func isURL(_ source: String) -> Bool {
    let start = source.prefix(8).lowercased()
    return start.hasPrefix("http://") || start == "https://"
  }

  /// The page that a source names; nil for a file.
  static func url(_ source: String) throws(Failure) -> WebURL? {
    guard isURL(source) else { return nil }
    guard let url = WebURL(source), url.isHTTP, url.host?.isEmpty == false else {
      throw Failure(.usage, "is no URL", place: source)
    }
    return url.withoutFragment.withoutUser
  }

  private func crawl(_ urls: [WebURL], _ session: PageSession, _ sink: EventSink) throws(Failure) {
    var journal: CrawlJournal?
    if !dryRun {
      // The store is made first: what a crawl remembers lies in it.
      _ = try sink.opened()
      journal = try CrawlJournal(
        in: try writer.options.directory,
        key: crawling.key(urls.map(\.description), fetching.agent), isFresh: crawling.fresh)
    }
    let fetcher = PageFetcher(fetching, limit: maxBytes)
    try Crawl(crawling, session, fetcher, journal).run(urls)
  }

  /// What the store knows, when there is one; what is no page makes none.
  private func known(_ sink: EventSink) throws(Failure) -> KnownPages {
    guard let store = try writer.options.openIfThere() else { return KnownPages() }
    var known: KnownPages
    if dryRun {
      known = try KnownPages(store)
    } else {
      // A process has a log open once.
      store.close()
      known = try KnownPages(try sink.opened())
    }
    let (seen, ends) = try CrawlJournal.times(in: try writer.options.directory)
    known.saw(seen, ends: ends)
    return known
  }
}
