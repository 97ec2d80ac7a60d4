/// Reads a page as the HTML standard has it (13.2), scripting off.
///
/// Of XHTML the ends of elements without content and `<![CDATA[` are read as XML has them; all else
/// is as in HTML, so that what is not well-formed is not lost.
///
/// Takes any bytes of UTF-8 with LF for every line end. Time and memory grow with the input and
/// nothing else: depth, attributes, formatting elements and nodes have limits (``HTMLLimits``).
struct HTMLParser: ~Copyable {
  let input: [UInt8]
  let isXML: Bool
  var position = 0
  var content = HTMLContent.data
  /// Whose end tag ends raw text.
  var contentTag = HTMLTag.other
  var tree = HTMLTree()
  /// Characters read and not yet in the tree.
  var pending: [UInt8] = []
  var isStopped = false
  let tags: NameTable<HTMLTag>
  let attributeNames: NameTable<HTMLAttributeName>
  /// Of the names of the tag's attributes, where there are many.
  var nameHashes: Set<Int> = []

  // Tree construction.
  var mode = HTMLMode.initial
  var originalMode = HTMLMode.initial
  var templateModes: [HTMLMode] = []
  var open: [HTMLOpenElement] = []
  /// How many open elements have each mark, which spares most walks along the stack.
  var openMarks = [UInt16](repeating: 0, count: 1024)
  var formatting: [HTMLFormattingEntry] = []
  /// Of the names of attributes, by elements that later tags add some to.
  var mergedHashes: [HTMLNodeID: Set<Int>] = [:]
  var head: HTMLNodeID = -1
  var form: HTMLNodeID = -1
  var mayHaveFrameset = true
  var fostersParents = false
  var ignoresLineFeed = false
  var token = HTMLToken(tag: .other, mark: 0, isEnd: false, place: 0)

  static let tagTable = NameTable(HTMLTag.allCases.dropFirst().map { ($0.rawValue, $0) })
  static let attributeTable = NameTable(
    HTMLAttributeName.allCases.dropFirst().map { ($0.rawValue, $0) })

  init(_ input: [UInt8], isXML: Bool) {
    self.input = input
    self.isXML = isXML
    // Texts and values are seldom more than the source; what is not used takes no memory.
    tree.bytes.reserveCapacity(input.count)
    tags = Self.tagTable
    attributeNames = Self.attributeTable
  }

  static func parse(_ input: [UInt8], isXML: Bool = false) -> HTMLTree {
    var parser = HTMLParser(input, isXML: isXML)
    parser.run()
    return parser.tree
  }

  private mutating func run() {
    while position < input.count, !isStopped {
      switch content {
      case .data: readData()
      case .escapable: readRawText(references: true)
      case .raw: readRawText(references: false)
      case .script: readScript()
      case .plain: readPlainText()
      }
    }
    flushText()
    processEnd()
  }

  /// Notes that something was left out, once a kind.
  mutating func note(_ message: String, at place: Int) {
    if !tree.limits.contains(where: { $0.message == message }) {
      tree.limits.append((message, place))
    }
  }

  /// Whether the text goes on with these bytes.
  func hasPrefix(_ prefix: StaticString, at start: Int, ignoringCase: Bool = false) -> Bool {
    let count = prefix.utf8CodeUnitCount
    guard start + count <= input.count else { return false }
    return prefix.withUTF8Buffer { expected in
      for index in 0..<count {
        let byte = input[start + index]
        // SAFETY: the index is within the literal.
        if (ignoringCase ? byte.lowered : byte) != (unsafe expected[index]) { return false }
      }
      return true
    }
  }
}
