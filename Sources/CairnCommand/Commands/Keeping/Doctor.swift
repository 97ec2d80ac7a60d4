import ArgumentParser
import Cairn
import Rows

struct Doctor: CairnSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check that all is in order, with advice where it is not.")

  @OptionGroup var options: StoreOptions

  func run() throws(Failure) {
    let directory = try options.directory
    let store: Store
    do throws(Failure) { store = try options.openForReading() } catch {
      try write([
        Check(name: "store", state: .bad, finding: error.message ?? "", advice: Self.advice(error))
      ])
      throw error
    }
    var checks = [Check(name: "store", state: .good, finding: directory, advice: nil)]
    checks += try Self.look(at: store, in: directory)
    try write(checks)
    if let bad = checks.first(where: { $0.state == .bad }) {
      throw Failure(.no, "\(bad.name): \(bad.advice ?? bad.finding)")
    }
  }

  struct Check {
    enum State: String { case good, note, bad }
    var name: String
    var state: State
    var finding: String
    var advice: String?
  }

  private static func advice(_ failure: Failure) -> String {
    failure.status == .noInput
      ? "name a store with --store or $CAIRN_STORE, or make one by recording something"
      : "see the message; nothing was changed"
  }

  private static func look(at store: Store, in directory: String) throws(Failure) -> [Check] {
    var checks: [Check] = []
    let statistics: Statistics
    do throws(CairnError) { statistics = try store.at().statistics() } catch {
      // What comes below stands on it; what is damaged is the thing to say.
      return [
        Check(
          name: "projections", state: .bad,
          finding: [error.place, error.message].compactMap(\.self).joined(separator: ": "),
          advice: error.likelyRemedy?.advice ?? "to see what is left: cairn verify")
      ]
    }
    let rebuild = try answering(store.rebuildStatus())
    let logged = try answering(store.loggedEventCount())
    checks.append(
      Check(
        name: "log", state: .good,
        finding: "\(Readable.count(logged, "event")); what they hold was not read",
        advice: "to read every byte of it: cairn verify"))
    if logged > statistics.head {
      let why = store.projectionFailure.map { ": \($0.message)" } ?? ""
      checks.append(
        Check(
          name: "searches", state: .note,
          finding:
            "do not know the last \(Readable.count(logged - statistics.head, "event"))\(why)",
          advice: "they follow with the next write after that is mended"))
    }
    checks += projections(statistics)
    if let sequence = rebuild.sequence {
      checks.append(
        Check(
          name: "rebuild", state: .note,
          finding: "unfinished, at event \(sequence) of \(rebuild.head)",
          advice: "finish it with: cairn rebuild, or drop it with: cairn rebuild --cancel"))
    }
    if let last = statistics.recorded, last > Timestamp.now() {
      checks.append(
        Check(
          name: "clock", state: .bad, finding: "the last event is later than now",
          advice: "set this machine's clock; new events would get the last event's time"))
    }
    if let key = try signingKey(of: store) { checks.append(key) }
    if let erased = try erasedIDs(of: store) { checks.append(erased) }
    checks.append(space(in: directory, storeByteCount: statistics.byteCount))
    return checks
  }

  private static func projections(_ statistics: Statistics) -> [Check] {
    var checks: [Check] = []
    for projection in statistics.projections {
      checks.append(
        Check(
          name: projection.name, state: projection.lag == 0 ? .good : .note,
          finding: projection.lag == 0
            ? "up to date" : "\(Readable.count(projection.lag, "event")) behind",
          advice: projection.lag == 0
            ? nil : "it catches up with the next write; or run: cairn rebuild"))
    }
    if statistics.isOutdated {
      checks.append(
        Check(
          name: "version", state: .note, finding: "another version of cairn made the projections",
          advice:
            "the next write makes them anew, and some answers wait for it; or run: cairn rebuild"))
    }
    return checks
  }

  /// What there is to say of the private key, where one was ever made.
  private static func signingKey(of store: Store) throws(Failure) -> Check? {
    switch try answering(store.signingKeyState()) {
    case .unused: nil
    case .kept:
      Check(name: "signer", state: .good, finding: "readable by its owner alone", advice: nil)
    case .exposed:
      Check(
        name: "signer", state: .bad, finding: "others may read signer.key",
        advice: "chmod 600 signer.key; if somebody read it: cairn checkpoint --new-key")
    case .damaged:
      Check(
        name: "signer", state: .bad,
        finding: "signer.key is damaged, or is not the key of this store: nothing can be signed",
        advice: "put the right one back, or give the store a new one: cairn checkpoint --new-key")
    case .missing:
      Check(
        name: "signer", state: .note, finding: "signer.key is not here: nothing can be signed",
        advice: "put it back, or give the store a new one: cairn checkpoint --new-key")
    }
  }

  /// What erased events still tell that log format 1 recorded.
  private static func erasedIDs(of store: Store) throws(Failure) -> Check? {
    let count = try answering(store.erasedIDCount())
    guard count > 0 else { return nil }
    return Check(
      name: "erased", state: .note,
      finding: "\(Readable.number(count)) erased events keep id, hour, kind and size in their leaf",
      advice: "log format 1 put them there; a new store has none of it: "
        + "cairn replay | cairn append --store NEW (sources imported there again are added again)")
  }

  /// Less than this is too little for one more event.
  private static let fullByteCount = 1 << 16

  /// A rebuild needs room for a second set of projections.
  private static func space(in directory: String, storeByteCount: Int) -> Check {
    guard let freeByteCount = StoreDisk.freeByteCount(directory) else {
      return Check(
        name: "disk", state: .note, finding: Failure.systemMessage(), advice: "look at the disk")
    }
    let free = Int(clamping: freeByteCount)
    guard free >= fullByteCount else {
      return Check(
        name: "disk", state: .bad, finding: "full: \(Readable.bytes(free)) free",
        advice: "make room; until then nothing can be recorded, and what is there can be asked")
    }
    let isTight = free < storeByteCount
    return Check(
      name: "disk", state: isTight ? .note : .good,
      finding: "\(Readable.bytes(storeByteCount)) used by the store, \(Readable.bytes(free)) free",
      advice: isTight ? "a rebuild may not fit; make room" : nil)
  }

  private func write(_ checks: [Check]) throws(Failure) {
    var output = Output()
    for check in checks {
      if options.json {
        try output.object { line in
          line.field("check", check.name)
          line.field("state", check.state.rawValue)
          line.field("finding", check.finding)
          line.field("advice", optional: check.advice)
        }
      } else {
        let mark =
          switch check.state {
          case .good: "ok  "
          case .note: "note"
          case .bad: "bad "
          }
        let width = Terminal.width.map { $0 - 18 }
        try output.line(
          "\(mark)  \(DisplayText.pad(check.name, 10))  \(DisplayText.fit(check.finding, width))")
        if let advice = check.advice { try output.line("                  \(advice)") }
      }
    }
    try output.flush()
  }
}
