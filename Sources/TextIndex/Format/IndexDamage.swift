internal import LMDB

/// What is thrown for rows that make no sense.
enum IndexDamage {
  /// Of a term: its row, its postings or their positions.
  static var postings: CairnError {
    CairnError(.corrupt, "a postings list is damaged; rebuild the text index")
  }
}
