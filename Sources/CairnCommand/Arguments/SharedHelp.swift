import ArgumentParser

/// What is said of options that several commands have.
extension ArgumentHelp {
  static var domain: Self { Self("Only this domain and below it.", valueName: "domain") }

  static var filter: Self {
    Self("Only items for which this expression holds.", valueName: "expression")
  }

  static var json: Self { "Answer with one JSON object a line." }

  static var limit: Self { "How many; 0 for all." }

  static var now: Self { Self("Rank as if it were this time.", valueName: "time") }

  static var offset: Self { "How many to leave out at the beginning." }

  static var expires: Self { Self("When it goes: a time, or never.", valueName: "time") }
}
