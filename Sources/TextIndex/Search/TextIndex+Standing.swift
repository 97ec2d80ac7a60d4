package import LMDB

extension TextIndex {
  /// Which texts are shown, and by which items.
  package struct Standing {
    /// What is known of an item.
    package typealias Item<Answer> = (_ item: UInt32, _ txn: borrowing ReadTransaction)
      throws(CairnError) -> Answer

    /// The item that shows the text which stands under one; nil where none does: it is gone though
    /// its text is there, or shows another.
    let item: Item<UInt32?>
    /// Under which item the text stands that one shows; nil where all stand under their own.
    let text: Item<UInt32>?

    package init(item: @escaping Item<UInt32?>, text: Item<UInt32>? = nil) {
      self.item = item
      self.text = text
    }

    /// The same, but for items that are hidden.
    package func hiding(_ isHidden: @escaping ItemTest) -> Standing {
      let known = item
      return Standing(
        item: { (text, txn) throws(CairnError) in
          guard let item = try known(text, txn), try !isHidden(item, txn) else { return nil }
          return item
        }, text: text)
    }
  }
}
