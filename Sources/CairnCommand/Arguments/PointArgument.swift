import ArgumentParser
import Cairn

/// A point in time on the command line; a store tells what it means.
struct PointArgument: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }

  /// The point that a store takes it for; what is wrong is told of the option or argument.
  func point(of store: Store, _ option: String = "--as-of") throws(Failure) -> Point {
    tellOfYear()
    do { return try store.point(text, zone: .chosen) } catch {
      throw Failure(error, of: option, unless: .noSuchPoint, help: "points")
    }
  }

  /// Tells people at a terminal that what looks like a year is a sequence.
  private func tellOfYear() {
    guard Terminal.errorsAreTerminal, let number = Int(text), (1900...2100).contains(number),
      text.utf8.count == 4
    else { return }
    Diagnostics.line("cairn: \(text) is taken as an event's number; for a time write \(text)-01")
  }

  /// The moment that a store takes it for.
  func moment(of store: Store, _ option: String = "--as-of", now: Timestamp? = nil)
    throws(Failure) -> Moment
  {
    try asked(of: store, option) { (point) throws(CairnError) in try store.at(point, now: now) }
  }

  /// The last event of the log that counts then.
  func lastSequence(of store: Store, _ option: String = "--as-of") throws(Failure) -> UInt64 {
    try asked(of: store, option) { (point) throws(CairnError) in
      try store.lastSequence(at: point)
    }
  }

  private func asked<R>(
    of store: Store, _ option: String, _ body: (Point) throws(CairnError) -> R
  ) throws(Failure) -> R {
    let point = try point(of: store, option)
    do { return try body(point) } catch {
      var failure = Failure(error, of: option, unless: .noSuchPoint, help: "points")
      if error.code == .noSuchPoint, let time = meantTime {
        failure.message =
          "digits alone are an event's number, and there is none of this one; for the time write "
          + time
      }
      throw failure
    }
  }

  /// The time that programs write with these digits, or people mean by a year.
  private var meantTime: String? {
    guard let number = Int64(text) else { return nil }
    switch text.utf8.count {
    case 4 where (1900...2199).contains(number): return "\(number)-01 or \(number)-12"
    case 9...10: return Timestamp(seconds: number).rfc3339
    default: return nil
    }
  }
}

extension Failure {
  /// A failure that names the option it is about, and the page of the help about such values;
  /// other errors keep the place they name.
  init(_ error: CairnError, of option: String, unless code: CairnError.Code, help page: String) {
    self.init(error)
    let isOfOption = error.code == .badArgument && error.place == nil
    guard error.code == code || isOfOption else { return }
    place = option
    if let message, !message.contains("cairn ") {
      self.message = "\(message); see: cairn help \(page)"
    }
  }
}

/// The option that every reading command takes.
struct PointOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Answer as the store stood then: a sequence, a time or a snapshot (cairn help points).",
      valueName: "point"), completion: .points) var asOf: PointArgument?

  /// The point meant; the head where nothing is said.
  func point(of store: Store) throws(Failure) -> Point { try asOf?.point(of: store) ?? .head }

  /// The moment meant; the present where nothing is said.
  func moment(of store: Store, now: Timestamp? = nil) throws(Failure) -> Moment {
    if let asOf { return try asOf.moment(of: store, now: now) }
    return try answering(store.at(now: now))
  }
}
