import Cairn

extension ItemSource {
  /// One source for people: `web (web): event 12, https://example.org/`.
  var text: String {
    let name = source.map { " (\($0))" } ?? ""
    return DisplayText.harmless(
      "\(kind.rawValue)\(name): event \(sequence)" + (url.map { ", \($0)" } ?? ""))
  }
}
