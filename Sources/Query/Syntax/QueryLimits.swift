/// How much query the parser takes.
///
/// Each bound keeps hostile text from costing more than its length.
package struct QueryLimits: Sendable {
  /// UTF-8 bytes; more than any person types and enough for a generated list of ids.
  package var byteCountMax = 64 * 1024
  /// Open parentheses at one place; bounds the stack of parser, printer and evaluator alike.
  package var depthMax = 128
  /// Comparisons and range tests; bounds the work for each record.
  package var termCountMax = 1_024

  /// Makes the default limits.
  package init() {}

  package static let standard = QueryLimits()
}
