import Cairn

/// How often sites, folders and programs were used in a span of the timeline.
struct UseTables {
  let views: KeyOrdered<Int>

  private static let rowsMax = 12

  private struct Row {
    var domain: String
    var name: String
    var count: Int
  }

  /// Programs are domains of the form `apps.HOST.PROGRAM`, as watchers of windows make them.
  private static func program(_ domain: String) -> (domain: String, name: String)? {
    let parts = domain.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0] == "apps" else { return nil }
    return (parts[..<3].joined(separator: "."), String(parts[2]))
  }

  func write(_ html: inout HTML, _ context: PageContext) {
    var programs: [String: Row] = [:]
    var others: [Row] = []
    for view in views {
      if let (domain, name) = Self.program(view.key) {
        programs[domain, default: Row(domain: domain, name: name, count: 0)].count += view.value
      } else {
        others.append(Row(domain: view.key, name: view.key, count: view.value))
      }
    }
    if others.isEmpty, programs.isEmpty { return }
    html.element("div", [.class("uses")]) { html in
      table("Used most", "Domain", others, &html, context)
      table("Programs", "Program", Array(programs.values), &html, context)
    }
  }

  private func table(
    _ title: String, _ what: String, _ rows: [Row], _ html: inout HTML, _ context: PageContext
  ) {
    if rows.isEmpty { return }
    let shown = rows.sorted { ($1.count, $0.domain) < ($0.count, $1.domain) }.prefix(Self.rowsMax)
    html.element("section") { html in
      html.element("h2", [], title)
      html.table([.class("use")], [.text(what), .figure("Views")]) { html in
        for row in shown {
          html.element("tr") { html in
            html.element("th", [.text("scope", "row")]) { html in
              html.storedLink(row.name, to: context.here([("domain", row.domain)]))
            }
            html.element("td", [.class("figure")], String(row.count))
          }
        }
      }
      if rows.count > Self.rowsMax {
        html.element("p", [.class("quiet")], "and \(rows.count - Self.rowsMax) more")
      }
    }
  }
}
