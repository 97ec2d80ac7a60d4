import Cairn

/// One `find`: keys change the query, the choice and the point; answers come when they are there.
final class FindSession {
  enum End {
    /// An item was chosen, as this place of what was on screen; `query` is blank where none was
    /// typed.
    case chosen(FindSource.Found, Showing)
    case left(Showing)
    case interrupted
  }

  /// What was on screen at the end.
  struct Showing {
    var query: String
    var items: [String]
    var position: Int
    var isPresent: Bool
  }

  private let terminal: RawTerminal
  private let source: FindSource
  private let hits: Lookup<FindSource.Question, [FindSource.Found]>
  private let lives: Lookup<FindSource.Subject, [String]>
  private var view: FindView
  private var screen = Screen()
  private var size: (lines: Int, columns: Int)
  private var travel: TimeTravel
  /// What the list on screen answers; nil before the first answer.
  private var answered: FindSource.Question?
  private var subject: FindSource.Subject?

  init(_ terminal: RawTerminal, _ source: FindSource, query: String, at sequence: UInt64?) {
    self.terminal = terminal
    self.source = source
    hits = Lookup(source.store, wake: terminal.wake) { (question) throws(CairnError) in
      try source.answer(question)
    }
    lives = Lookup(source.store, wake: terminal.wake) { (subject) throws(CairnError) in
      try source.preview(subject)
    }
    view = FindView(query)
    size = terminal.size
    travel = TimeTravel(at: sequence)
  }

  /// Runs until somebody chooses or leaves; nothing is asked of the store any more afterwards.
  func run() throws(Failure) -> End {
    let end = try react()
    while [hits.stop(), lives.stop()].contains(true) { _ = try terminal.next() }
    return end
  }

  private func react() throws(Failure) -> End {
    try showPoint()
    ask()
    while true {
      try draw()
      switch try terminal.next() {
      case .woken: takeAnswers()
      case .key(let key):
        var next: Key? = key
        while let key = next {
          if let end = try end(after: key) { return end }
          next = terminal.pendingKey()
        }
      }
    }
  }

  private func draw() throws(Failure) {
    let now = terminal.size
    if now != size {
      size = now
      screen = Screen()
      view.move(by: 0, size.lines)
    }
    try terminal.write(screen.bytes(for: view.frame(size)))
  }

  private func end(after key: Key) throws(Failure) -> End? {
    switch key {
    case .enter:
      guard view.found.indices.contains(view.chosen) else { return nil }
      return .chosen(view.found[view.chosen], showing)
    case .escape: return .left(showing)
    case .deleteOrLeave where view.editor.text.isEmpty: return .left(showing)
    case .interrupt: return .interrupted
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .pageUp: move(by: -view.pageCount(size.lines))
    case .pageDown: move(by: view.pageCount(size.lines))
    case .earlier, .later:
      let moves = try answering(
        key == .earlier ? try travel.goBack(in: source.store) : travel.goForward())
      guard moves else { return nil }
      try showPoint()
      ask()
    default:
      let old = view.editor.text
      view.editor.take(key)
      if view.editor.text != old { ask() }
    }
    return nil
  }

  private var question: FindSource.Question {
    FindSource.Question(text: view.editor.text, sequence: travel.sequence)
  }

  /// What is on screen; nothing counts as shown while an answer is on its way.
  private var showing: Showing {
    let isCurrent = answered == question
    let items = isCurrent ? view.shown(size.lines).map(\.item) : []
    let text = answered?.text ?? ""
    return Showing(
      query: String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()),
      items: items, position: view.chosen + 1, isPresent: travel.sequence == nil)
  }

  private func ask() { hits.ask(question) }

  private func move(by count: Int) {
    view.move(by: count, size.lines)
    askOfLife()
  }

  private func askOfLife() {
    guard view.found.indices.contains(view.chosen) else {
      subject = nil
      view.preview = []
      return
    }
    let next = FindSource.Subject(item: view.found[view.chosen].item, sequence: answered?.sequence)
    guard next != subject else { return }
    subject = next
    lives.ask(next)
  }

  private func takeAnswers() {
    if let (asked, result) = hits.takeAnswer(), asked == question {
      answered = asked
      switch result {
      case .success(let found):
        view.list(found)
        view.status = Self.status(found.count, of: source.limit, asked)
      case .failure(let error):
        view.list([])
        view.status = Failure(error).line ?? ""
      }
      askOfLife()
    }
    if let (asked, result) = lives.takeAnswer(), asked == subject {
      switch result {
      case .success(let lines): view.preview = lines
      case .failure(let error): view.preview = [Failure(error).line ?? ""]
      }
    }
  }

  private static func status(_ count: Int, of limit: Int, _ question: FindSource.Question) -> String
  {
    if count == 0 { return question.isBlank ? "nothing is here yet" : "no item has these words" }
    if question.isBlank { return "used most, then latest" }
    return count < limit ? Readable.count(count, "item") : "the best \(Readable.number(count))"
  }

  private func showPoint() throws(Failure) {
    guard let sequence = travel.sequence else {
      view.point = nil
      return
    }
    let clock = try answering(source.store.at(.sequence(sequence)).clock)
    view.point = "\(Readable.time(clock)), event \(sequence)"
  }
}
