import ArgumentParser
import Cairn
import Rows

/// What the columns of a table mean that somebody else made.
struct TableOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "With a csv: what a column holds, a key of events or an attribute, such as item=Order; may be given several times.",
      valueName: "key=column"), transform: PairArgument.init) var column: [PairArgument] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "With a csv: what every row says that has no such cell, such as kind=view; may be given several times.",
      valueName: "key=text"), transform: PairArgument.init) var value: [PairArgument] = []

  func validate() throws {
    let isText = (column + value).allSatisfy { $0.value.string != nil }
    guard isText else { throw ValidationError("--column and --value take texts: key=text.") }
  }

  var isEmpty: Bool { column.isEmpty && value.isEmpty }

  var naming: TableNaming {
    var naming = TableNaming()
    for pair in column {
      if let name = pair.value.string { naming.keys.append((pair.key, name)) }
    }
    for pair in value {
      if let text = pair.value.string { naming.values.append((pair.key, text)) }
    }
    return naming
  }

  /// Why a table with this header holds no events, and how it comes to.
  static func problem(of naming: TableNaming, in header: [String]) -> String? {
    let names = Set(header.map { $0.lowercased() })
    if let column = naming.keys.map(\.column).first(where: { !names.contains($0.lowercased()) }) {
      return "has no column '\(DisplayText.fit(column, 60))'; its first line names them"
    }
    guard !naming.isOfEvents(header) else { return nil }
    return
      "has not both a kind and an item; say which columns hold them, or what every row is, such "
      + "as: cairn import csv FILE --column item=COLUMN --value kind=view"
  }
}
