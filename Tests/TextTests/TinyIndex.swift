import Text

/// The plainest index that can hold an analyzer to its promises: exact matching only.
struct TinyIndex {
  private struct Key: Hashable {
    var space: TermSpace
    var bytes: [UInt8]
  }

  private struct Posting {
    var text: Int
    var position: UInt32
  }

  /// A buffer cannot be stored in a struct that is copied.
  private final class Holder { var tokens = TokenBuffer() }

  private var numbers: [Key: Int] = [:]
  private var postings: [[Posting]] = []
  private var grams: [[UInt8]: [Int]] = [:]
  private var documents: [String] = []
  private var documentOfText: [Int] = []
  private let buffer = Holder()

  mutating func add(_ document: String, texts: [String]) {
    documents.append(document)
    for text in texts {
      Analyzer().analyze(Array(text.utf8), into: &buffer.tokens)
      for token in buffer.tokens.tokens {
        let key = Key(space: token.space, bytes: buffer.tokens.term(token))
        let posting = Posting(text: documentOfText.count, position: token.position)
        if let number = numbers[key] {
          postings[number].append(posting)
        } else {
          numbers[key] = postings.count
          if token.space == .gram {
            grams[Self.firstScalar(key.bytes), default: []].append(postings.count)
          }
          postings.append([posting])
        }
      }
      documentOfText.append(documents.count - 1)
    }
  }

  /// Documents in which some text has every clause of the query.
  func search(_ query: String) -> Set<String> {
    let tokens = Analyzer().analyzeQuery(query, using: &buffer.tokens)
    var result: Set<Int>?
    for clause in tokens.clauses {
      var starts: Set<UInt64>?
      for term in clause.terms {
        var here = Set<UInt64>()
        for number in matching(term) {
          for posting in postings[number] where posting.position >= term.position {
            here.insert(UInt64(posting.text) << 32 | UInt64(posting.position - term.position))
          }
        }
        starts = starts.map { $0.intersection(here) } ?? here
      }
      let found = Set((starts ?? []).map { documentOfText[Int($0 >> 32)] })
      result = result.map { $0.intersection(found) } ?? found
    }
    return Set((result ?? []).map { documents[$0] })
  }

  private func matching(_ term: QueryTokens.Term) -> [Int] {
    if term.isPrefix { return grams[Self.firstScalar(term.bytes)] ?? [] }
    return numbers[Key(space: term.space, bytes: term.bytes)].map { [$0] } ?? []
  }

  private static func firstScalar(_ bytes: [UInt8]) -> [UInt8] {
    var end = 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return Array(bytes.prefix(end))
  }
}
