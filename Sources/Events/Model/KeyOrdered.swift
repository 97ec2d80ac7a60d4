/// Values by name, in canonical order.
///
/// Names are compared by their UTF-8 bytes, shorter ones first (the order of RFC 8949 §4.2.1), so
/// that two names Unicode calls equal stay two names. Inlinable, since every module decodes, reads
/// and builds attributes with it: without that each use looks generic types up at run time.
public struct KeyOrdered<Value: Hashable> {
  /// One name and its value.
  public struct Member: Hashable {
    /// The name.
    public let key: String
    /// The value.
    public var value: Value

    @inlinable init(key: String, value: Value) {
      self.key = key
      self.value = value
    }

    /// Equal when the names have the same bytes and the values are equal.
    @inlinable public static func == (a: Self, b: Self) -> Bool {
      a.key.hasBytes(of: b.key) && a.value == b.value
    }

    /// Hashes the bytes of the name and the value.
    @inlinable public func hash(into hasher: inout Hasher) {
      key.hashBytes(into: &hasher)
      hasher.combine(value)
    }
  }

  @usableFromInline var members: [Member] = []

  /// Nothing.
  @inlinable public init() {}

  /// The members given; of two with one name the later counts.
  @inlinable public init(_ pairs: some Sequence<(String, Value)>) {
    members.reserveCapacity(pairs.underestimatedCount)
    for (key, value) in pairs { self[key] = value }
  }

  /// The members given, in any order; of two with one name the later counts.
  /// - Complexity: O(*n* log *n*)
  package init(unordered pairs: [(String, Value)]) {
    self.init(pairs.sorted { $0.0.precedesCanonically($1.0) })
  }

  /// The value of a name; setting nil removes it.
  /// - Complexity: O(log *n*) to read, O(*n*) to change.
  @inlinable public subscript(key: String) -> Value? {
    get {
      let index = place(of: key)
      return index < members.count && members[index].key.hasBytes(of: key)
        ? members[index].value : nil
    }
    set {
      let index = place(of: key)
      let found = index < members.count && members[index].key.hasBytes(of: key)
      switch (newValue, found) {
      case (let value?, true): members[index].value = value
      case (let value?, false): members.insert(Member(key: key, value: value), at: index)
      case (nil, true): members.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// The names, in canonical order.
  /// - Complexity: O(*n*)
  @inlinable public var keys: [String] { members.map(\.key) }

  /// The values, in the order of their names.
  /// - Complexity: O(*n*)
  @inlinable public var values: [Value] { members.map(\.value) }

  /// Makes room for so many members.
  mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// Adds the value of a name that comes after all others, as it does in what is stored.
  mutating func append(_ key: String, _ value: Value) {
    members.append(Member(key: key, value: value))
  }

  @inlinable func place(of key: String) -> Int {
    // Members mostly arrive in order when they are decoded.
    if let last = members.last, last.key.precedesCanonically(key) { return members.count }
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if members[middle].key.precedesCanonically(key) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension KeyOrdered: Hashable {}

extension KeyOrdered: Sendable where Value: Sendable {}
extension KeyOrdered.Member: Sendable where Value: Sendable {}

extension KeyOrdered: RandomAccessCollection {
  /// Zero.
  @inlinable public var startIndex: Int { 0 }
  /// How many members there are.
  @inlinable public var endIndex: Int { members.count }
  /// The member at a place in canonical order.
  @inlinable public subscript(position: Int) -> Member { members[position] }
}

extension KeyOrdered: ExpressibleByDictionaryLiteral {
  /// The members given; of two with one name the later counts.
  @inlinable public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension String {
  /// Whether both have the same UTF-8 bytes (`==` would call canonically equivalent texts equal).
  @inlinable package func hasBytes(of other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  @inlinable package func hashBytes(into hasher: inout Hasher) {
    for byte in utf8 { hasher.combine(byte) }
    hasher.combine(utf8.count)
  }

  /// The order of names in canonical bytes: shorter ones first, then by their bytes.
  @inlinable package func precedesCanonically(_ other: String) -> Bool {
    utf8.count != other.utf8.count
      ? utf8.count < other.utf8.count : utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension String? {
  /// Whether both are absent, or have the same UTF-8 bytes.
  @inlinable package func hasBytes(of other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasBytes(of: other)
  }
}
