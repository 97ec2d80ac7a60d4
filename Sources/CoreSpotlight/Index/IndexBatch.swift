/// Changes that wait for the end of a batch.
struct IndexBatch {
  /// Bytes of a client state; Apple says both "less than" and "up to" this.
  static let stateByteCountMax = 250

  var writes: [PendingWrite] = []
  /// Whether the batch was begun where it may not be, so that its end fails.
  var isMisused = false
}
