extension CairnError {
  /// What mends it: what the error says, and for damage what its file needs.
  ///
  /// Projections are made anew from the log; the log comes from a backup.
  package var likelyRemedy: Remedy? {
    guard remedy == nil, code == .corrupt, let place else { return remedy }
    if place.contains("view-") { return .rebuild }
    return place.contains("log.mdb") ? .restore : nil
  }
}
