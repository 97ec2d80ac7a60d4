/// What a client wants to be answered with, the more the greater the weight (RFC 9110 §12.5.1).
struct AcceptedTypes {
  private var weights: [String: Double] = [:]

  init(_ values: [String]) {
    for range in values.flatMap({ $0.lowercased().split(separator: ",") }) {
      let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      guard let name = parts.first else { continue }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
      weights[name] = quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    }
  }

  /// The weight of a type that is named itself; nil where it is not.
  func ownWeight(of type: String) -> Double? { weights[type] }

  /// The weight of a type by the narrowest range that it is in.
  func weight(of type: String) -> Double {
    let family = "\(type.prefix { $0 != "/" })/*"
    return weights[type] ?? weights[family] ?? weights["*/*"] ?? 0
  }
}
