import Cairn
import Crawling
import WebMarkup

/// Gets one page after the other as robots rules, redirects and limits have it.
final class PageFetcher {
  /// What came of asking for a URL.
  enum Result {
    /// An answer, where it came from in the end, and whether every redirect was for good.
    case answer(HTTPAnswer, WebURL, isMoved: Bool)
    /// What rules forbid, and whether something that redirects there was asked for.
    case disallowed(String, isAsked: Bool)
    case failed(FetchFault)
  }

  private var client: HTTPClient
  private(set) var robots = RobotsCache()
  private let agent: String
  private let limit: Int
  private var associations: [String: AppSiteAssociation?] = [:]
  /// Told of each file of a host that was newly had.
  var noteFile: (CrawlJournal.HostFile, String, RobotsCache.Entry) -> Void = { _, _, _ in }
  /// Told before each request, so that a host can be left alone for a while.
  var willAsk: (WebURL) -> Void = { _ in }
  /// The same for a request for rules, while no rules can be looked up.
  var willAskForRules: (WebURL) -> Void = { _ in }

  private static let redirectMax = 10
  private static let delayMax = 60.0

  init(_ options: FetchOptions, limit: Int) {
    client = options.client()
    agent = options.agent
    self.limit = limit
  }

  func restore(_ files: [CrawlJournal.HostFile: [String: RobotsCache.Entry]]) {
    for (origin, entry) in files[.robots] ?? [:] { robots.restore(entry, of: origin) }
    let now = Timestamp.now().seconds
    for (origin, entry) in files[.association] ?? [:]
    where now - entry.time < RobotsCache.serviceTime {
      // One that cannot be read is none.
      associations[origin] = try? AppSiteAssociation(entry.bytes)
    }
  }

  /// The rules of a URL's origin; nil where they cannot be had.
  func rules(for url: WebURL) throws(FetchFault) -> RobotsFile? {
    try robots.rules(
      for: url, &client, now: Timestamp.now().seconds, willAsk: willAskForRules
    ) { noteFile(.robots, $0, $1) }
  }

  /// How many seconds the host of a URL asks to be left alone between requests.
  func delay(of url: WebURL) -> Double {
    // Where there are no rules there is no delay of theirs.
    let rules = try? rules(for: url)
    return min(Self.delayMax, rules?.crawlDelay(agent: agent) ?? 0)
  }

  /// Asks for a URL and follows where it leads.
  func fetch(_ url: WebURL, _ validator: CrawlJournal.Validator?, limit most: Int? = nil) -> Result
  {
    var headers: [(name: String, value: String)] = []
    if let tag = validator?.entityTag { headers.append(("If-None-Match", tag)) }
    if let time = validator?.lastModified { headers.append(("If-Modified-Since", time)) }
    var (here, isMoved) = (url, true)
    var seen: Set<String> = []
    do throws(FetchFault) {
      for _ in 0...Self.redirectMax {
        guard seen.insert(here.description).inserted else {
          return .failed(FetchFault(.redirects, "redirects lead in a circle"))
        }
        guard let rules = try rules(for: here) else {
          let fault = robots.fault(for: here).map { ": " + $0 } ?? ""
          return .failed(
            FetchFault(.unanswered, "robots.txt of \(here.host ?? "") cannot be had\(fault)"))
        }
        let verdict = rules.verdict(here, agent: agent)
        guard verdict.allowed else {
          return .disallowed(
            "robots.txt forbids it: \(verdict.rule ?? "")", isAsked: seen.count > 1)
        }
        willAsk(here)
        var answer = try client.get(here, headers: headers, limit: most ?? limit)
        headers = []
        guard [301, 302, 303, 307, 308].contains(answer.status), let to = answer["location"] else {
          try decode(&answer, most ?? limit)
          return .answer(answer, here, isMoved: isMoved && seen.count > 1)
        }
        guard let target = WebURL(to, base: here)?.withoutFragment, target.isHTTP else {
          return .failed(FetchFault(.redirects, "a redirect leads to no URL"))
        }
        isMoved = isMoved && (answer.status == 301 || answer.status == 308)
        here = target
      }
    } catch { return .failed(error) }
    return .failed(FetchFault(.redirects, "more than \(Self.redirectMax) redirects"))
  }

  private func decode(_ answer: inout HTTPAnswer, _ limit: Int) throws(FetchFault) {
    let coding = answer.contentCodings
    do throws(ContentCoding.Fault) {
      answer.body = try ContentCoding.decode(answer.body, coding, limit: limit)
    } catch {
      // What another status says holds whatever the answer is packed in.
      guard answer.status == 200 else {
        answer.body = []
        return
      }
      switch error {
      case .tooLarge: throw FetchFault(.tooLarge, "is larger than \(limit) bytes unpacked")
      case .damaged: throw FetchFault(.unanswered, "what it is packed in is damaged")
      // A server that sends what it was not asked for does so when it is asked again.
      case .unknown: throw FetchFault(.unfit, "its coding \(coding) is not read")
      }
    }
  }

  /// Whether the fields of an answer let its page be an item.
  func letsIndex(_ answer: HTTPAnswer) -> Bool {
    PageRobots(headers: answer.headers, agent: agent).index
  }

  func page(_ answer: HTTPAnswer, _ url: WebURL) -> PageSource {
    var page = PageSource(name: url.description, bytes: answer.body)
    page.urls = [("request", url.description)]
    page.isPage = PageContainer.isPage(type: answer["content-type"])
    page.headers = answer.headers
    page.status = answer.status
    page.time = Timestamp.now().rfc3339
    page.agent = agent
    page.association = association(of: url)
    page.associationHost = url.host
    return page
  }

  /// The association file of an https host, asked for once a day; its failure is none.
  private func association(of url: WebURL) -> AppSiteAssociation? {
    guard url.scheme == "https" else { return nil }
    let origin = HTTPClient.origin(of: url)
    if let known = associations[origin] { return known }
    var found: AppSiteAssociation?
    // Apple's systems look at the root where there is none.
    for folder in ["/.well-known", ""] where found == nil {
      guard let place = WebURL(origin + folder + "/apple-app-site-association"),
        case .answer(let answer, let from, _) = fetch(
          place, nil, limit: AppSiteAssociation.byteCountMax),
        answer.status == 200, from.description == place.description
      else { continue }
      let time = Timestamp.now().seconds
      noteFile(
        .association, origin,
        RobotsCache.Entry(isReachable: true, bytes: answer.body, time: time))
      // One that cannot be read is none.
      found = try? AppSiteAssociation(answer.body)
    }
    associations[origin] = found
    return found
  }
}
