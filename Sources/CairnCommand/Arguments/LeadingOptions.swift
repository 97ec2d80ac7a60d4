/// Options that every command takes, in front of the command's name: `cairn --store DIR search`.
enum LeadingOptions {
  private static let flags = ["--json", "--utc"]

  /// The line with those options behind the command's own words, where it reads them.
  static func moved(_ line: [String]) -> [String] {
    var count = 0
    while count < line.count {
      let word = line[count]
      if flags.contains(word) || word.hasPrefix("--store=") {
        count += 1
      } else if word == "--store", count + 1 < line.count {
        count += 2
      } else {
        break
      }
    }
    guard count > 0, count < line.count, !line[count].hasPrefix("-") else { return line }
    var moved = Array(line[count...])
    moved.insert(contentsOf: line[..<count], at: moved.firstIndex(of: "--") ?? moved.count)
    return moved
  }
}
