/// Which of a page's things it is about.
enum MainThing {
  static func find(in things: [Thing]) -> Thing? {
    let entity = Thing.first(in: things) { thing in
      // Questions that are often asked stand below what a page is about.
      let tells = isPage(thing) && !thing.has(type: "FAQPage")
      return tells ? thing.things("mainEntity").first : nil
    }
    if let entity { return entity }
    if let found = things.first(where: { !$0["mainEntityOfPage"].isEmpty }) { return found }
    let typed = things.filter { !$0.types.isEmpty }
    return typed.first { !isAround($0) } ?? typed.first
  }

  private static func isPage(_ thing: Thing) -> Bool {
    thing.types.contains { $0.hasSuffix("Page") }
  }

  private static func isAround(_ thing: Thing) -> Bool {
    isPage(thing) || thing.types.contains { around.contains($0) }
  }

  private static let around: Set = [
    "WebSite", "BreadcrumbList", "ListItem", "SiteNavigationElement", "WPHeader", "WPFooter",
    "WPSideBar", "ImageObject", "Organization", "Person", "SearchAction",
  ]
}
