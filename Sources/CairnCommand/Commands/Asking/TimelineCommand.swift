public import ArgumentParser
public import Cairn
import Rows

struct TimelineCommand: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", abstract: "Count what happened by the hour, day, week or month.",
    discussion: """
      Days begin in the local zone; with --utc and --json in UTC.

      Examples:
        cairn timeline --since 'last month' --by week
      """)

  @Option(help: .domain, completion: .domains) var domain: String?

  @Option(help: "The width of a bucket: hour, day, week (from Monday) or month.") var by =
    TimelineUnit.day

  @Option(help: ArgumentHelp("Only rows that end after it, each whole.", valueName: "time"))
  var since: TimeArgument?

  @Option(help: ArgumentHelp("Only rows that begin by then, each whole.", valueName: "time"))
  var until: TimeArgument?

  @OptionGroup var point: PointOptions
  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let span = try TimeArgument.span(since, until)
    let moment = try options.moment(point)
    let buckets = try answering(
      moment.timeline(
        domain: domain, by: by, zone: options.json ? .utc : .chosen, within: span))
    var output = Output()
    let most = buckets.map(\.eventCount).max() ?? 0
    for bucket in buckets {
      if options.json {
        try output.object { $0.fields(of: bucket) }
      } else {
        let start = CivilZone.chosen.minute(of: bucket.start).prefix(by == .hour ? 13 : 10)
        let count = DisplayText.padLeft(Readable.number(bucket.eventCount), 10)
        let room = max(8, min(40, (Terminal.width ?? 80) - start.count - count.count - 4))
        let length = max(1, bucket.eventCount * room / max(1, most))
        let bar = String(repeating: Terminal.showsUTF8 ? "▇" : "#", count: length)
        try output.line("\(start)  \(count)  \(bar)")
      }
    }
    try output.flush()
    Listing.ending(buckets.count, by.rawValue, none: Listing.noEvent(moment), options)
    if buckets.isEmpty { try Listing.tellOfDomain(domain, moment) }
  }
}

extension TimelineUnit: ExpressibleByArgument {}
