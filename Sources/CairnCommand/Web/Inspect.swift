import ArgumentParser
import Cairn
import WebMarkup

struct Inspect: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a page's markup says, what it lacks, and the item it becomes.",
    discussion: """
      Reads saved pages (HTML, MHTML, HAR, or a folder of them; - is HTML on standard input). \
      Needs no store and never writes.
      """)

  @Argument(help: "Pages and folders of pages.", completion: .file()) var sources: [String]
  @Option(help: ArgumentHelp("Where the pages come from.", valueName: "url")) var base: String?
  @Option(
    help: ArgumentHelp("The host's apple-app-site-association file.", valueName: "file"),
    completion: .file()) var aasa: String?
  @Option(help: ArgumentHelp("Whose robots rules count besides those for all.", valueName: "token"))
  var agent = "cairn"
  @Flag(help: "Answer with one JSON object a line.") var json = false

  func validate() throws {
    if let base, WebURL(base)?.isHTTP != true {
      throw ValidationError("--base takes an http or https URL.")
    }
    if let url = sources.first(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }) {
      throw ValidationError("\(url) is not on this machine; save the page and give its file.")
    }
  }

  func run() throws(Failure) {
    let files = PageFiles(
      base: base, association: try aasa.map { path throws(Failure) in try Self.association(path) },
      agent: agent)
    var output = Output()
    var hasDamage = false
    for source in sources {
      for (path, inside) in try PageFiles.files(of: source) {
        let (pages, damage) = try files.pages(of: path, inside: inside)
        for page in pages { try write(WebPage(page), to: &output) }
        if let damage {
          hasDamage = true
          Diagnostics.line("\(path): \(damage)")
        }
      }
    }
    try output.flush()
    if hasDamage { throw Failure(.data, nil) }
  }

  static func association(_ path: String) throws(Failure) -> AppSiteAssociation {
    let bytes = try WholeInput.read(path)
    do { return try AppSiteAssociation(bytes) } catch {
      throw Failure(.data, error.message, place: path == "-" ? "standard input" : path)
    }
  }

  private func write(_ page: WebPage, to output: inout Output) throws(Failure) {
    if json {
      try output.bytes { bytes in
        page.json.append(to: &bytes)
        bytes.append(0x0a)
      }
      return
    }
    let rows: [(String, String?)] = [
      ("page", page.url.map { "\($0)" } ?? page.source), ("title", page.title),
      ("description", page.description), ("image", page.image), ("canonical", page.canonical),
      ("language", page.language), ("encoding", page.encoding), ("item", page.item?.id),
      ("domain", page.item?.domain),
      ("missing", page.missing.isEmpty ? nil : page.missing.joined(separator: ", ")),
    ]
    for case (let name, let value?) in rows {
      try output.line("\(name): \(DisplayText.harmless(value))")
    }
    for link in page.deepLinks {
      let place = "\(link.line):\(link.column)"
      try output.line(DisplayText.harmless("deep link: \(link.kind) \(link.url ?? "") (\(place))"))
    }
    for thing in page.things {
      let types = thing.types.isEmpty ? "no type" : thing.types.joined(separator: ", ")
      try output.line(DisplayText.harmless("thing: \(types) (\(thing.syntax))"))
    }
    for fault in page.malformed {
      try output.line(
        "malformed: \(fault.line):\(fault.column): \(fault.kind.rawValue): "
          + DisplayText.harmless(fault.message))
    }
    for line in page.richResult { try output.line("result: \(DisplayText.harmless(line))") }
    try output.line("")
  }
}
