import ArgumentParser
import Crawling

/// How pages are asked for.
struct FetchOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The crawler that is meant by robots rules.", valueName: "token"))
  var agent = "cairn"
  @Option(help: ArgumentHelp("Seconds that one answer may take.", valueName: "seconds"))
  var timeout: Double = 30
  @Flag(help: "Ask hosts too that are not on the public network.") var allowPrivate = false

  func validate() throws {
    guard timeout > 0, timeout.isFinite else {
      throw ValidationError("--timeout takes a number of seconds above 0.")
    }
    // It stands in a header of every request.
    let isVisible = agent.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isVisible, agent.first.map({ $0.isLetter || $0 == "-" || $0 == "_" }) == true else {
      throw ValidationError("--agent takes a crawler's name: a letter first, and no blanks.")
    }
  }

  func client() -> HTTPClient {
    let name = agent == "cairn" ? "Cairn" : agent
    return HTTPClient(
      userAgent: "\(name)/\(ProgramVersion.number) (+https://cairn.example/crawler)",
      allowsPrivate: allowPrivate, timeout: .seconds(min(timeout, 86_400)))
  }
}

/// Which pages of the web are asked for.
struct CrawlOptions: ParsableArguments {
  @Flag(help: "Fetch what the sites' sitemaps name.") var site = false
  @Option(help: ArgumentHelp("Follow links so many steps.", valueName: "steps")) var depth = 0
  @Flag(help: "Follow links on the hosts of the sources only.") var sameHost = false
  @Option(help: ArgumentHelp("Ask for so many pages at most.", valueName: "count"))
  var maxPages = 10_000
  @Option(help: ArgumentHelp("Ask one host for so many pages at most.", valueName: "count"))
  var maxPerHost: Int?
  @Option(help: ArgumentHelp("Seconds between two requests to one host.", valueName: "seconds"))
  var delay: Double = 1
  @Flag(help: "Forget the queue of a crawl that did not end.") var fresh = false

  func validate() throws {
    guard delay >= 0, delay.isFinite, depth >= 0, maxPages > 0, maxPerHost ?? 1 > 0 else {
      throw ValidationError("--delay and --depth take numbers from 0, --max-… from 1.")
    }
  }

  /// What makes two crawls the same.
  func key(_ sources: [String], _ agent: String) -> String {
    ([agent, "\(site)", "\(depth)", "\(sameHost)"] + sources).joined(separator: "\n")
  }
}
