/// The limits of a schema file, each far above any real one, so that reading and folding stay
/// bounded.
public enum SchemaLimits {
  /// Bytes of a file.
  public static let byteCount = 1 << 20
  /// Declarations of attributes in all domains together.
  public static let attributeCount = 1_000
  /// Domains.
  public static let domainCount = 256
  /// Steps.
  public static let stepCount = 1_000
  /// Values in one map.
  public static let mapValueCount = 10_000
  /// Aliases of one attribute.
  public static let aliasCount = 16
  /// Bytes of a default: of a text itself, of all else as JSON.
  public static let defaultByteCount = 4_096
  /// Bytes of a separator, at least one.
  public static let separatorByteCount = 64
  /// Bytes of the texts that a step makes of an array, so that no row of steps makes of a small
  /// event one that fills the memory.
  static let madeByteCount = 4 << 20
  /// Bytes of an attribute's name.
  public static let nameByteCount = 128
  /// The greatest weight.
  public static let weight = 100.0
}
