import CoreSpotlight

/// The app of a recipe site: its own recipes and the site's pages are found together, each once.
///
/// `index` puts the app's recipes into the index, `read ID` looks at one, `visit PAGE` at a page of
/// the site, `find EXPRESSION` gives those that match, `open ID` lands on one. What `cairn import
/// web` took in of the site is in the same index: a page that names a recipe by its link into the
/// app is that recipe.
@main struct RecipeBox {
  private static let scheme = "recipebox://recipe/"
  private static let recipes = [
    ("lemon-soup", "Lemon soup", ["soup", "quick"]), ("rye-bread", "Rye bread", ["bread"]),
  ]

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.dropFirst().joined(separator: " ")) {
    case ("index", _): try await CSSearchableIndex.default().indexSearchableItems(recipes.map(item))
    case ("read", let id): try await read(id)
    case ("visit", let page): visit(page)
    case ("find", let expression): try await find(expression)
    case ("open", let id): open(id)
    default: print("usage: RecipeBox index | read ID | visit PAGE | find EXPRESSION | open ID")
    }
  }

  private static func item(_ name: String, _ title: String, _ keywords: [String])
    -> CSSearchableItem
  {
    let attributes = CSSearchableItemAttributeSet(contentType: .text)
    attributes.title = title
    attributes.keywords = keywords
    return CSSearchableItem(
      uniqueIdentifier: scheme + name, domainIdentifier: "recipes", attributeSet: attributes)
  }

  private static func read(_ id: String) async throws {
    let activity = NSUserActivity(activityType: "org.example.recipebox.read")
    activity.title = "Reading \(id)"
    activity.isEligibleForSearch = true
    let attributes = CSSearchableItemAttributeSet(contentType: .text)
    attributes.relatedUniqueIdentifier = id
    activity.contentAttributeSet = attributes
    activity.becomeCurrent()
  }

  /// A page that the app has no recipe of is known by its address alone.
  private static func visit(_ page: String) {
    let activity = NSUserActivity(activityType: "org.example.recipebox.visit")
    activity.title = "A page of the site"
    activity.webpageURL = URL(string: page)
    activity.isEligibleForSearch = true
    activity.becomeCurrent()
  }

  private static func find(_ expression: String) async throws {
    let context = CSSearchQueryContext()
    context.fetchAttributes = ["title", "rating", "instructions"]
    for try await result in CSSearchQuery(queryString: expression, queryContext: context).results {
      let attributes = result.item.attributeSet
      print(result.id, attributes.title ?? "", attributes.rating ?? 0, separator: " | ")
    }
  }

  /// The identifier is the link into the app, whoever made the item.
  private static func open(_ id: String) {
    guard id.hasPrefix(scheme) else { return print("not a recipe") }
    print("recipe \(id.dropFirst(scheme.count))")
  }
}
