/// A text in several languages.
///
/// On Linux it is no string itself, since `NSString` cannot be subclassed there: assign
/// `localizedString()`, or set it as the value of a custom key.
open class CSLocalizedString: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Safe to share: nothing changes.
  private let texts: [String: String]

  /// Makes a text from its forms by language code.
  public init(localizedStrings: [AnyHashable: Any]) {
    var texts: [String: String] = [:]
    for (language, text) in localizedStrings {
      if let language = language as? String, let text = text as? String { texts[language] = text }
    }
    self.texts = texts
    super.init()
  }

  /// The form for the person's language; else the English one, else the first by code.
  open func localizedString() -> String {
    let code = Locale.current.identifier.replacingOccurrences(of: "_", with: "-")
    return Self.choose(from: texts, for: code)
  }

  static func choose(from texts: [String: String], for code: String) -> String {
    let language = String(code.prefix { $0 != "-" && $0 != "." })
    let first = texts.keys.sorted().first ?? ""
    return texts[code] ?? texts[language] ?? texts["en"] ?? texts[first] ?? ""
  }

  /// The form for the person's language.
  open override var description: String { localizedString() }

  /// The same text.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes all forms.
  open func encode(with coder: NSCoder) {
    let data = try? JSONSerialization.data(withJSONObject: texts)
    coder.encode((data ?? Data()) as NSData, forKey: "texts")
  }

  /// Reads what `encode(with:)` wrote.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "texts"),
      let texts = try? JSONSerialization.jsonObject(with: Data(referencing: data))
        as? [String: String]
    else { return nil }
    self.texts = texts
    super.init()
  }
}
