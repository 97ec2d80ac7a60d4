import ArgumentParser
import Cairn

/// A point in time on the command line: a sequence, an RFC 3339 time or a snapshot's name.
struct PointArgument: ExpressibleByArgument {
  let point: Point

  init?(argument: String) {
    guard let point = Point(argument) else { return nil }
    self.point = point
  }
}

/// A moment on the command line: an RFC 3339 time or Unix seconds, fractions allowed.
struct TimeArgument: ExpressibleByArgument {
  let time: Timestamp

  init?(argument: String) {
    if let time = Timestamp(rfc3339: argument) {
      self.time = time
    } else if let seconds = Double(argument), seconds.isFinite {
      time = Timestamp(unixSeconds: seconds)
    } else {
      return nil
    }
  }
}

/// A number from 0 on.
struct CountArgument: ExpressibleByArgument, ExpressibleByIntegerLiteral {
  let value: Int

  init(integerLiteral value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = Int(argument), value >= 0 else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { "\(value)" }
}

/// The option that every reading command takes.
struct PointOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Answer as the store stood then: a sequence number, an RFC 3339 time or a snapshot's name.",
      valueName: "point")) var asOf: PointArgument?

  /// The head where nothing else is said.
  var point: Point { asOf?.point ?? .head }
}
