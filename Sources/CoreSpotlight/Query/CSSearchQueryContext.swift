/// What a query gives and where it looks.
open class CSSearchQueryContext: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Safe to share: what changes lies behind one lock.
  struct State {
    var fetchAttributes: [String] = []
    var filterQueries: [String] = []
    var keyboardLanguage: String?
    var sourceOptions: CSSearchQueryContext.SourceOptions = []
    var isRanked = true
    var isSemanticSearchDisabled = false
    var maxResultCount = 0
    var maxSuggestionCount = 0
    var maxRankedResultCount = 100
    var suggestion: CSSuggestion?
  }

  /// The sources that a query asks.
  public struct SourceOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Makes a set from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Mail too; of no effect on Linux, where no application shares its index.
    public static let allowMail = SourceOptions(rawValue: 1)
  }

  let state: Guarded<State>

  /// Makes a context that asks for everything.
  public override init() {
    state = Guarded(State())
    super.init()
  }

  init(_ state: State) {
    self.state = Guarded(state)
    super.init()
  }

  /// The attributes that results have; with none, they have all.
  open var fetchAttributes: [String] {
    get { state { $0.fetchAttributes } }
    set { state { $0.fetchAttributes = newValue } }
  }

  /// Queries that every result must pass too, and what is suggested.
  open var filterQueries: [String] {
    get { state { $0.filterQueries } }
    set { state { $0.filterQueries = newValue } }
  }

  /// The language that is typed in; kept, since all are analysed alike.
  open var keyboardLanguage: String? {
    get { state { $0.keyboardLanguage } }
    set { state { $0.keyboardLanguage = newValue } }
  }

  /// The sources asked.
  open var sourceOptions: SourceOptions {
    get { state { $0.sourceOptions } }
    set { state { $0.sourceOptions = newValue } }
  }

  /// A context with the same settings that changes independently.
  open func copy(with zone: NSZone? = nil) -> Any { CSSearchQueryContext(state { $0 }) }

  /// True.
  open class var supportsSecureCoding: Bool { true }

  /// Writes all settings.
  open func encode(with coder: NSCoder) {
    let state = state { $0 }
    coder.encode(state.fetchAttributes as NSArray, forKey: "attributes")
    coder.encode(state.filterQueries as NSArray, forKey: "filters")
    coder.encode(state.keyboardLanguage as NSString?, forKey: "language")
    coder.encode(Int(bitPattern: state.sourceOptions.rawValue), forKey: "sources")
    coder.encode(!state.isRanked, forKey: "isUnranked")
    coder.encode(state.isSemanticSearchDisabled, forKey: "isSemanticSearchDisabled")
    coder.encode(state.maxResultCount, forKey: "maxResultCount")
    coder.encode(state.maxSuggestionCount, forKey: "maxSuggestionCount")
    coder.encode(state.maxRankedResultCount, forKey: "maxRankedResultCount")
    coder.encode(state.suggestion, forKey: "suggestion")
  }

  /// Reads what `encode(with:)` wrote.
  public required init?(coder: NSCoder) {
    var state = State()
    func texts(_ key: String) -> [String] {
      coder.decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String] ?? []
    }
    state.fetchAttributes = texts("attributes")
    state.filterQueries = texts("filters")
    state.keyboardLanguage = coder.decodeObject(of: NSString.self, forKey: "language") as String?
    let sources = UInt(bitPattern: coder.decodeInteger(forKey: "sources"))
    state.sourceOptions = SourceOptions(rawValue: sources)
    state.isRanked = !coder.decodeBool(forKey: "isUnranked")
    state.isSemanticSearchDisabled = coder.decodeBool(forKey: "isSemanticSearchDisabled")
    state.maxResultCount = coder.decodeInteger(forKey: "maxResultCount")
    state.maxSuggestionCount = coder.decodeInteger(forKey: "maxSuggestionCount")
    state.maxRankedResultCount = coder.decodeInteger(forKey: "maxRankedResultCount")
    state.suggestion = coder.decodeObject(of: CSSuggestion.self, forKey: "suggestion")
    self.state = Guarded(state)
    super.init()
  }
}

/// The sources that a query asks.
public typealias CSSearchQuerySourceOptions = CSSearchQueryContext.SourceOptions

/// What a search for words that a person typed gives.
open class CSUserQueryContext: CSSearchQueryContext, @unchecked Sendable {
  /// Makes a context that ranks all results.
  public override init() { super.init(State()) }

  /// Makes a context that goes on from a suggestion that was chosen.
  public init(currentSuggestion: CSSuggestion?) { super.init(State(suggestion: currentSuggestion)) }

  override init(_ state: State) { super.init(state) }

  /// Reads what `encode(with:)` wrote.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// Whether results come best first; else those used last come first.
  open var enableRankedResults: Bool {
    get { state { $0.isRanked } }
    set { state { $0.isRanked = newValue } }
  }

  /// Whether only words count and not what they mean; kept, since here only words ever count.
  open var disableSemanticSearch: Bool {
    get { state { $0.isSemanticSearchDisabled } }
    set { state { $0.isSemanticSearchDisabled = newValue } }
  }

  /// How many results at most; 0 for all.
  open var maxResultCount: Int {
    get { state { $0.maxResultCount } }
    set { state { $0.maxResultCount = newValue } }
  }

  /// How many suggestions at most; 0 for all.
  open var maxSuggestionCount: Int {
    get { state { $0.maxSuggestionCount } }
    set { state { $0.maxSuggestionCount = newValue } }
  }

  /// How many results are ranked; the others follow in no particular order.
  open var maxRankedResultCount: Int {
    get { state { $0.maxRankedResultCount } }
    set { state { $0.maxRankedResultCount = newValue } }
  }

  /// A context with the same settings that changes independently.
  open override func copy(with zone: NSZone? = nil) -> Any { CSUserQueryContext(state { $0 }) }
}
