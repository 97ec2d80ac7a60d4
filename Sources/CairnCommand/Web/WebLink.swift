import ArgumentParser
import WebMarkup

struct WebLink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "weblink", abstract: "Say what a host's files mean for a URL.",
    subcommands: [Check.self, Robots.self])

  struct Check: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Which app opens a URL, by an apple-app-site-association file.",
      discussion: "Exit code 0 when an app opens it, 1 when the site does.")

    @Argument(help: "The file; - is standard input.", completion: .file()) var aasa: String
    @Argument(help: "The URL.") var url: String
    @Flag(help: .json) var json = false

    func run() throws(Failure) {
      let verdict = try Inspect.association(aasa).verdict(try WebLink.parsed(url))
      var output = Output()
      if json {
        try output.line(verdict.json)
      } else {
        try output.line(text(of: verdict))
        for warning in verdict.warnings { Diagnostics.line("\(aasa): \(warning)") }
      }
      try output.flush()
      if !verdict.opensApp { throw Failure(.no, nil) }
    }

    private func text(of verdict: AppSiteAssociation.Verdict) -> String {
      let opener = verdict.opensApp ? verdict.appIDs.joined(separator: ", ") : "the site"
      guard let detail = verdict.detail, let rule = verdict.rule else {
        return "\(opener) opens it: no rule matches"
      }
      let word = verdict.isExcluded ? "refused by" : "by"
      let pattern = DisplayText.harmless(verdict.pattern ?? "")
      return "\(opener) opens it: \(word) rule \(rule) of entry \(detail), \(pattern)"
    }
  }

  struct Robots: CairnSubcommand {
    static let configuration = CommandConfiguration(
      commandName: "robots", abstract: "Whether a crawler may fetch URLs, by a robots.txt.",
      discussion: "RFC 9309. Exit code 0 when all are allowed, else 1.")

    @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
    @Argument(help: "URLs.") var urls: [String]
    @Option(help: ArgumentHelp("The crawler's product token.", valueName: "token"))
    var agent = "cairn"
    @Flag(help: .json) var json = false

    func run() throws(Failure) {
      let robots = RobotsFile(try WholeInput.read(file))
      var output = Output()
      var allAllowed = true
      for text in urls {
        let url = try WebLink.parsed(text)
        let verdict = robots.verdict(url, agent: agent)
        allAllowed = allAllowed && verdict.allowed
        if json {
          try output.line(verdict.json(of: url.description))
        } else {
          let word = verdict.allowed ? "allowed" : "disallowed"
          let rule = verdict.rule.map {
            " by line \(verdict.line ?? 0): \(DisplayText.harmless($0))"
          }
          try output.line("\(word) \(url)\(rule ?? "")")
        }
      }
      try output.flush()
      if !allAllowed { throw Failure(.no, nil) }
    }
  }

  fileprivate static func parsed(_ text: String) throws(Failure) -> WebURL {
    guard let url = WebURL(text) else { throw Failure(.usage, "is no URL", place: text) }
    return url
  }
}
