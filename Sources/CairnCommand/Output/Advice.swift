import Cairn

extension CairnError.Remedy {
  /// What to type to get it.
  var advice: String {
    switch self {
    case .rebuild: "run: cairn rebuild"
    case .verify: "run: cairn verify"
    case .restore: "restore a backup into another directory with: cairn restore"
    case .rebuildStatus: "see: cairn rebuild --status"
    case .statistics: "see: cairn stats"
    case .snapshots: "see: cairn snapshot list"
    case .origin: "see: cairn checkpoint --key"
    case .newKey: "put it back, or give the store a new one with: cairn checkpoint --new-key"
    case .witnessKey: "make one with: cairn witness key --name NAME"
    case .trust: "see: cairn witness trust"
    case .unblock: "lift that by its conditions: cairn purge --unblock CONDITIONS"
    case .undoSchema: "run: cairn schema undo"
    case .replayInto: "see it with: cairn replay --to P --into DIR"
    case .migrations: "see: cairn migrate --status"
    case .acceptLoss: "take a newer backup, or accept the loss with --accept-loss"
    default: description
    }
  }
}

extension CairnError {
  /// What happened and what to type, in one line without the place.
  var advisedMessage: String {
    let offset = offset.map { " (byte \($0))" } ?? ""
    return message + offset + ((likelyRemedy?.advice ?? declaring).map { "; \($0)" } ?? "")
  }

  /// Where it is said how a filter is written, and what gives an attribute an order or counts.
  private var declaring: String? {
    if code == .badQuery, place == "filter" { return "see: cairn help filters" }
    let isOfSchema = code == .badArgument && ["sort", "facet", "groupBy"].contains(place)
    if isOfSchema, place == "sort" {
      return "searches also sort by recent (last use) and frequent; see: cairn help schemas"
    }
    return isOfSchema ? "see: cairn help schemas" : nil
  }

  /// The place as the command line calls it.
  var argument: String? {
    switch place {
    case "filter": "--filter"
    case "sort": "--sort"
    case "facet": "--facet"
    case "groupBy": "--group-by"
    // Some commands take two, and not all as this option.
    case "point": nil
    default: place
    }
  }
}

extension CheckpointWitness.Refusal {
  /// What is wrong and what to type.
  var advisedReason: String { reason + (remedy.map { "; \($0.advice)" } ?? "") }
}

extension Verification.Problem {
  /// What is wrong and what to type.
  var advisedMessage: String {
    CairnError(.corrupt, message, place: place, remedy: remedy).advisedMessage
  }
}
