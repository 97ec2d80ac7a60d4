package import Values

/// One format of activity history.
///
/// A format is one file with a type of this, one line in ``HistoryFormats/all``, its samples and
/// their oracle.
package protocol HistoryFormat: Sendable {
  /// The word on the command line.
  static var name: String { get }
  /// What it is the history of, for lists.
  static var summary: String { get }
  static var source: String { get }
  /// Whether it keeps counts of uses instead of the uses, to be compared with what a store has.
  static var isAggregate: Bool { get }
  /// Whether a folder is read; else only files are.
  static var readsFolders: Bool { get }
  static func recognises(_ file: InputFile) -> Bool
  /// Reads a whole file.
  /// - Throws: `CairnError` when the file is of another format: what was added before is dropped.
  static func read(_ file: InputFile, into events: Collector) throws(CairnError)
}

extension HistoryFormat {
  package static var source: String { name }
  package static var isAggregate: Bool { false }
  package static var readsFolders: Bool { false }
}
