import Synchronization
import Text

final class SnippetMaker: Sendable {
  /// What is made anew for no text: it belongs to one thread at a time, as does what cuts endings.
  private struct Tools: ~Copyable {
    let words: QueryTermMatcher
    var buffer = TokenBuffer()
  }

  private let tools: Mutex<Tools>

  init(_ tokens: QueryTokens, _ request: SearchRequest) {
    tools = Mutex(Tools(words: QueryTermMatcher(tokens, request.stemmer)))
  }

  func snippet(of item: Item) -> Snippet? {
    tools.withLock { Snippet.of(item, $0.words, &$0.buffer) }
  }
}

/// A snippet, made when it is first asked for and at most once.
final class LazySnippet: Sendable {
  private let item: Item
  private let maker: SnippetMaker
  private let made = Mutex<Snippet??>(nil)

  init(_ item: Item, _ maker: SnippetMaker) {
    self.item = item
    self.maker = maker
  }

  /// The snippet; nil for an item without text.
  var value: Snippet? {
    made.withLock { made in
      if let made { return made }
      let snippet = maker.snippet(of: item)
      made = .some(snippet)
      return snippet
    }
  }
}
