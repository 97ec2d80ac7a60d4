package import Values

/// Unpacks what is fed to it.
package protocol Unpacker: AnyObject {
  /// Whether the last member of the file has ended.
  var isComplete: Bool { get }
  /// Whether more may come without more packed bytes.
  var hasMore: Bool { get }
  /// Takes the next packed bytes; those before are used up by then.
  func feed(_ bytes: [UInt8])
  /// Unpacks the next piece; false when more packed bytes are needed.
  func next(into output: inout [UInt8]) throws(CairnError) -> Bool
}
