/// How much query the parser takes.
///
/// Each bound keeps hostile text from costing more than its length.
package enum QueryLimits {
  /// UTF-8 bytes; more than any person types and enough for a generated list of ids.
  package static let byteCountMax = 64 * 1024
  /// Open parentheses at one place; bounds the stack of parser, printer and evaluator alike.
  package static let depthMax = 128
  /// Comparisons and range tests; bounds the work for each record.
  package static let termCountMax = 1_024
}
