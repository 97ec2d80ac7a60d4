internal import LMDB
internal import Text

/// Buffers and caches for folding changes, kept by the writer from call to call.
///
/// Holds nothing that matters: a fresh one gives the same rows. What it remembers of the
/// dictionary is checked against the store at each call, so it survives aborted transactions.
package final class FoldContext {
  var inverter = Inverter()
  var vocabulary = Vocabulary()
  var tokens = DocumentTokens()
  var buffer = TokenBuffer()
  var row = ByteWriter(capacity: 4_096)
  var key = ByteWriter(capacity: 256)

  /// Puts in one call from which on documents go straight to merged form.
  var bulkPutCount = IndexLimits.bulkPutCount

  /// Creates an empty context; not for use from two threads at once.
  package init() {}
}
