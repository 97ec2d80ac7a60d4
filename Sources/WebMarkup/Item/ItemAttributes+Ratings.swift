internal import Glibc

extension ItemAttributes {
  /// Ratings and interactions, and the hint for ranking that they give.
  mutating func addRatings() {
    let rating = addRating()
    let interactions = addInteractions()
    var parts: [Double] = []
    if let rating { parts.append(100 * (rating.count * rating.value / 5 + 3) / (rating.count + 5)) }
    if let interactions { parts.append(min(100, 100 * log10(1 + interactions) / 7)) }
    guard !parts.isEmpty else { return }
    let mean = parts.reduce(0, +) / Double(parts.count)
    set("rankingHint", (mean + 0.5).rounded(.down))
  }

  private func ratingThing() -> Thing? {
    Thing.first(in: things) { thing in
      if let rating = thing.things("aggregateRating").first { return rating }
      return thing.has(type: "AggregateRating") ? thing : nil
    } ?? things.first { $0.types.isEmpty && !$0["ratingValue"].isEmpty }
  }

  /// The rating out of 5, and how many gave it (1 where nobody says).
  private mutating func addRating() -> (value: Double, count: Double)? {
    guard let thing = ratingThing() else { return nil }
    let ratings = number(thing, "ratingCount")
    let reviews = number(thing, "reviewCount")
    set("web_ratingCount", ratings)
    set("web_reviewCount", reviews)
    let value = number(thing, "ratingValue")
    let best = number(thing, "bestRating") ?? 5
    set("web_bestRating", best)
    set("web_worstRating", number(thing, "worstRating") ?? 1)
    guard let value, best > 0 else { return nil }
    let rating = min(5, max(0, value * 5 / best))
    set("rating", rating)
    var line = "\(thing.text("ratingValue") ?? "")/\(thing.text("bestRating") ?? "5")"
    let count =
      ratings != nil ? thing.text("ratingCount") : reviews != nil ? thing.text("reviewCount") : nil
    if let count { line += " (\(count))" }
    set("ratingDescription", line)
    return (rating, max(0, ratings ?? reviews ?? 1))
  }

  /// The sum of all counts.
  private mutating func addInteractions() -> Double? {
    guard let thing = first(with: "interactionStatistic", "interactionCount") else { return nil }
    var counts: [(type: String, count: Double, text: String)] = []
    for counter in thing.things("interactionStatistic") {
      guard let count = number(counter, "userInteractionCount") else { continue }
      let type =
        counter.things("interactionType").first?.types.first ?? counter.link("interactionType")
        ?? "Interaction"
      counts.append((Self.lastPart(type), count, counter.text("userInteractionCount") ?? ""))
    }
    for property in thing.properties where property.name == "interactionCount" {
      for (value, place) in zip(property.values, property.places) {
        guard let text = value.plainText else { continue }
        let parts = text.split(separator: ":").map { String($0).strippedSpace }
        guard let last = parts.last, let count = MarkupNumber.parse(last), parts.count <= 2 else {
          fault("interactionCount is no number", at: place)
          continue
        }
        counts.append((parts.count == 2 ? parts[0] : "Interaction", count, last))
      }
    }
    guard !counts.isEmpty else { return nil }
    set("web_interactions", counts.map { "\($0.type) \($0.text)" })
    let sum = counts.reduce(0) { $0 + $1.count }
    set("web_interactionCount", sum)
    let plays = counts.filter { ["WatchAction", "ListenAction", "UserPlays"].contains($0.type) }
    if !plays.isEmpty { set("playCount", plays.reduce(0) { $0 + $1.count }) }
    return max(0, sum)
  }

  /// What stands behind the last slash or number sign.
  static func lastPart(_ url: String) -> String {
    url.split { $0 == "/" || $0 == "#" }.last.map(String.init) ?? url
  }
}
