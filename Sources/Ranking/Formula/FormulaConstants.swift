package import Projections

/// The constants that the ranking's stored rows were made with.
///
/// They are part of the definition of a generation: a store whose rows were made with other
/// values is folded anew when it is opened. The article Ranking prints them from here.
package struct FoldConstants: Sendable {
  /// Half-life of the fastest of the six time scales, seconds; each further one is six times it.
  package var fastestHalfLifeSeconds = 3_600.0
  /// Factor of a scale's weight.
  ///
  /// Leaves a daily habit of two years at the frecency that the terms of a score are weighed
  /// against; it changes no order.
  package var scaleFactor = 0.525
  /// Power of the half-life in days that a scale's weight falls by.
  package var scaleExponent = 0.55

  /// Weight of a view that does not say whether it was deliberate.
  package var viewWeight = 1.0
  /// Weight of a deliberate view.
  package var deliberateViewWeight = 2.0
  /// Weight of a passive view.
  package var passiveViewWeight = 0.5
  /// Weight of a redirect, a reload, an embedded page or one that came by itself: what nobody asked
  /// to see.
  package var incidentalViewWeight = 0.1
  /// Weight of choosing a search result.
  package var selectionWeight = 2.0
  /// Weight of an edit.
  package var editWeight = 1.5
  /// Attention that begins to count, seconds.
  package var attentionSeconds = 20.0
  /// Attention, plus one, in units of `attentionSeconds`, that doubles a view.
  package var attentionRange = 10.0
  /// Visits of one event that count at most.
  package var visitCountMax = 50.0
  /// Power of the number of visits that their weight grows by.
  package var visitExponent = 0.7
  /// Seconds that a use may claim to lie after its recording.
  package var aheadSecondsMax = 300.0

  /// Half-life of choices for a query, days.
  package var choiceHalfLifeDays = 28.0
  /// Further half-life of a choice that was not repeated, days.
  package var loneChoiceHalfLifeDays = 1.0
  /// Age from which the further half-life holds, hours.
  package var loneChoiceHours = 30.0

  /// Half-life of how an item or a domain fared in results, days.
  package var engagementHalfLifeDays = 90.0
  /// Half-life of dislike, days.
  package var dislikeHalfLifeDays = 9.0
  /// Power of the rank that the chance of being looked at falls by.
  package var lookExponent = 0.7
  /// Dislike that the user's word is worth.
  package var saidDislike = 3.0
  /// Dislike that a bounce is worth.
  package var bounceDislike = 0.5
  /// Attention that is no bounce, seconds.
  package var bounceAttentionSeconds = 5.0
  /// Time to the next choice that is no bounce where attention is not known, seconds.
  package var bounceGapSeconds = 10.0
  /// Time within which another result must be chosen for a bounce, seconds.
  package var bounceWindowSeconds = 30.0

  /// The constants in force.
  package init() {}

  /// The constants in force.
  package static let current = FoldConstants()

  /// Adds every constant, by name and value, to a definition.
  package func add(to hasher: inout RowHasher) {
    for constant in Mirror(reflecting: self).children {
      hasher.add("\(constant.label ?? "")=\(constant.value) ")
    }
  }
}

/// The constants that a score is made with when somebody asks.
///
/// Nothing stored depends on them: a change holds for all history at once.
package struct ScoreConstants: Sendable {
  /// Weight of a tier.
  package var tierWeight = 2.0
  /// Weight of the logarithm of use.
  package var useWeight = 0.8
  /// Weight of what was learned for the query.
  package var learnedWeight = 1.7
  /// Weight of a choice before its logarithm is taken.
  package var choiceFactor = 2.0
  /// Weight of how the item fared in results.
  package var engagementWeight = 0.3
  /// Weight of circumstances.
  package var contextWeight = 0.5
  /// Weight of the logarithm of dislike.
  package var dislikeWeight = 0.5
  /// Weight of slow opening.
  package var latencyWeight = 0.3
  /// Weight of a domain that fills results.
  package var domainWeight = 2.0

  /// Guard of an exact title, and of an item chosen often for this very query.
  ///
  /// More than all other terms come to.
  package var exactGuard = 40.0
  /// Guard that puts misspelt matches below all others.
  package var fuzzyGuard = 10.0
  /// Worth of having been chosen last for this very query.
  ///
  /// More than tiers, words and habits come to a day later, less than any of them a week later,
  /// never as much as an exact title.
  package var latestWeight = 20.0
  /// Half-life of having been chosen last, days.
  package var latestHalfLifeDays = 0.75
  /// Dislike since a choice from which the choice no longer lifts the item.
  package var unwantedDislike = 1.0
  /// Choices, decayed, that win the exact guard: two, of which a little may be forgotten.
  package var taughtChoices = 1.5
  /// Choices, decayed, that waive the guard of misspelt matches.
  package var knownChoices = 0.5

  /// Choices in the prior of every click-through rate.
  package var priorClicks = 1.0
  /// Looks in the prior of every click-through rate.
  package var priorLooks = 10.0
  /// The greatest click-through rate that counts.
  package var rateMax = 0.9
  /// Click-through rate below which a domain only fills the page.
  package var floodRate = 0.02
  /// Openings of the domain's mean latency in the prior of an item's.
  package var priorOpenings = 2.0
  /// Latency that costs nothing, seconds.
  package var freeLatencySeconds = 0.5

  /// The greatest evidence that one circumstance gives.
  package var evidenceMax = 2.0
  /// The least evidence that one circumstance gives.
  package var evidenceMin = -1.0
  /// Half-life of a use as evidence, days.
  package var evidenceHalfLifeDays = 54.0
  /// Uses of doubt in each circumstance.
  package var evidenceDoubt = 8.0
  /// Latest uses of an item that are evidence.
  package var evidenceUseCount = 32
  /// Latest events among which an actor must be, to be known.
  package var knownActorEventCount = 65_536
  /// Latest events of whose items one must have had another circumstance, for it to be known.
  package var knownCircumstanceEventCount = 4_096
  /// How often two uses share an actor by chance.
  package var actorShare = 0.5
  /// How often two uses share a device by chance.
  package var deviceShare = 0.5
  /// How often two uses share a session by chance.
  package var sessionShare = 0.1
  /// Share of uses that are taken to follow from the one before.
  package var followShare = 0.1
  /// Uses of the item before that are taken to have had other followers.
  package var followDoubt = 2.0

  /// The constants in force.
  package init() {}

  /// The constants in force.
  package static let current = ScoreConstants()
}
