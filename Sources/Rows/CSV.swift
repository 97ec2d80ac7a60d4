package import Cairn

/// Events as comma-separated values (RFC 4180).
package enum CSV {
  package static let header =
    "sequence,kind,item,domain,time,recorded,id,actor,source,session,query,position,title"

  package static func row(_ recorded: RecordedEvent) -> String {
    let event = recorded.event
    var title = ""
    if case .string(let text)? = event.attributes["title"] { title = text }
    let fields: [String] = [
      String(recorded.sequence), event.kind.name.description, event.item ?? "",
      event.domain.value ?? "", event.time?.rfc3339 ?? "", event.recorded?.rfc3339 ?? "",
      event.id?.uuidString ?? "", event.actor ?? "", event.source ?? "", event.session ?? "",
      event.query ?? "", event.position.map { String($0) } ?? "", title,
    ]
    return fields.map(quoted).joined(separator: ",") + "\r"
  }

  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
