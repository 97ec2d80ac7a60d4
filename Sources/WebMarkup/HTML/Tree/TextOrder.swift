/// The texts of a tree in its order, to find what an element holds without a walk through it.
///
/// A page may ask for the text of one element as often as that has names.
struct TextOrder {
  private var texts: [HTMLNodeID] = []
  /// Bytes of all texts before each, and of all of them.
  private var starts = [0]
  /// How many texts stand before each node.
  private var before: [Int32]

  init(_ tree: HTMLTree) {
    before = [Int32](repeating: 0, count: tree.nodes.count)
    var current = tree.following(0, in: 0)
    while current >= 0 {
      before[Int(current)] = Int32(texts.count)
      let node = tree[current]
      if node.kind == .text {
        texts.append(current)
        starts.append(starts[starts.count - 1] + Int(node.count))
      }
      current = tree.following(current, in: 0)
    }
  }

  /// DOM's `textContent` of an element in the document: all its texts, whatever holds them; nil
  /// where these have more bytes than that.
  /// - Complexity: O(texts inside), and O(1) for nil.
  func textContent(_ element: HTMLNodeID, in tree: HTMLTree, limit: Int) -> String? {
    let next = tree.skipping(element, in: 0)
    let (first, end) = (
      Int(before[Int(element)]), next < 0 ? texts.count : Int(before[Int(next)])
    )
    guard starts[end] - starts[first] <= limit else { return nil }
    var result: [UInt8] = []
    for text in texts[first..<end] {
      let node = tree[text]
      result += tree.bytes[Int(node.start)..<Int(node.start) + Int(node.count)]
    }
    return String(decoding: result, as: UTF8.self)
  }
}
