package import Cairn

extension JSONLine {
  package mutating func fields(of item: RankedItem) {
    field("rank", item.rank)
    field("item", item.item)
    field("domain", optional: item.domain)
    field("title", optional: item.title)
    field("score", item.score)
    field("views", item.viewCount)
    field("lastViewed", item.lastViewed.rfc3339)
    fields(of: item.explanation)
  }

  /// Why an item has its frecency; nothing for none.
  private mutating func fields(of explanation: UseExplanation?) {
    guard let explanation else { return }
    object("explanation") { terms in
      if let fit = explanation.fit { terms.field("fit", fit) }
      if let follow = explanation.follow { terms.field("follow", follow) }
      terms.field("scales", objects: explanation.scales) { line, scale in
        line.field("halfLife", scale.halfLife)
        line.field("sum", scale.sum)
        line.field("amplitude", scale.amplitude)
        line.field("score", scale.score)
      }
      terms.field("uses", objects: explanation.uses) { line, use in
        line.field("sequence", use.sequence)
        line.field("time", use.time.rfc3339)
        line.field("weight", use.weight)
        line.field("view", use.isView)
      }
    }
  }
}
