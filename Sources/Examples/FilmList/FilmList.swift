import CoreSpotlight

/// A list of films: indexed in one batch, found in the query language, opened where they stand.
///
/// `find EXPRESSION` gives the films that match, `open IDENTIFIER` lands on one.
@main struct FilmList {
  private static let films:
    [(title: String, year: Int, categories: String, stars: String, rating: Double)] = [
      ("The Last Lightship", 1961, "Drama/Sea", "I. Voss/K. Hahn", 4.5),
      ("Night Tram", 1974, "Thriller", "M. Silva", 3.5),
      ("Salt and Rope", 1988, "Documentary/Sea", "narrated", 4),
      ("Three Locks North", 2003, "Comedy", "P. Jansen/A. de Wit", 3),
      ("Harbour Lights", 2016, "Drama", "K. Hahn", 5),
    ]
  private static let prefix = "com.example.films."

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    try await indexAll()
    switch (words.first, words.dropFirst().joined(separator: " ")) {
    case ("find", let expression): try await find(expression)
    case ("open", let identifier): open(identifier)
    default: print("usage: FilmList find EXPRESSION | open IDENTIFIER")
    }
  }

  /// The list's version is the client state, so an unchanged list is indexed once.
  private static func indexAll() async throws {
    let index = CSSearchableIndex(name: "films")
    let version = "1"
    guard String(decoding: try await index.fetchLastClientState(), as: UTF8.self) != version else {
      return
    }
    index.beginBatch()
    try await index.indexSearchableItems(
      films.enumerated().map { number, film in
        let attributes = CSSearchableItemAttributeSet(contentType: .movie)
        attributes.title = film.title
        attributes.rating = film.rating as NSNumber
        attributes.recordingDate =
          DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: film.year
          ).date
        attributes.keywords = (film.categories + "/" + film.stars).split(separator: "/").map {
          String($0)
        }
        return CSSearchableItem(
          uniqueIdentifier: prefix + String(number), domainIdentifier: "films",
          attributeSet: attributes)
      })
    try await index.endBatch(withClientState: Data(version.utf8))
    print("indexed \(films.count) films")
  }

  private static func find(_ expression: String) async throws {
    let context = CSSearchQueryContext()
    context.fetchAttributes = ["title", "rating"]
    do {
      for try await result in CSSearchQuery(queryString: expression, queryContext: context).results
      {
        let attributes = result.item.attributeSet
        print("\(result.id) \(attributes.title ?? "") \(attributes.rating ?? 0)")
      }
    } catch let error as CSSearchQueryError { print(error.localizedDescription) }
  }

  /// The last part of the identifier is the place in the list.
  private static func open(_ identifier: String) {
    guard identifier.hasPrefix(prefix), let number = Int(identifier.dropFirst(prefix.count)),
      films.indices.contains(number)
    else { return print("not a film") }
    let film = films[number]
    print("\(film.title) (\(film.year)), \(film.categories), with \(film.stars)")
  }
}
