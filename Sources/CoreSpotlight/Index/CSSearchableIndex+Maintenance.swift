import Cairn

extension CSSearchableIndex {
  /// How long before its end an item is asked for again: a day.
  static let reviewLead: TimeInterval = 86_400

  /// Asks the delegate for what is due.
  ///
  /// That is everything, when the store is new or the last such request was not acknowledged, and
  /// the items that expire within a day, so that the application can keep them.
  public func requestWhatIsDue() {
    store.read { [weak self] result in
      guard let self, let moment = try? result.get() else { return }
      self.request(moment)
    }
  }

  private func request(_ moment: Moment) {
    let due = Timestamp(store.now().addingTimeInterval(Self.reviewLead))
    var expiring: [String] = []
    var isAcknowledged = false
    do {
      isAcknowledged = try moment.item(Reserved.acknowledgedItem) != nil
      try moment.forEachItem { item in
        if let expires = item.expires, expires <= due, !Reserved.isReserved(item.id) {
          expiring.append(item.id)
        }
        return true
      }
    } catch { return }
    store.call { [expiring, isAcknowledged] in
      guard let delegate = self.indexDelegate else { return }
      if !isAcknowledged {
        delegate.searchableIndex(
          self, reindexAllSearchableItemsWithAcknowledgementHandler: { self.acknowledge() })
      } else if !expiring.isEmpty {
        delegate.searchableIndex(
          self, reindexSearchableItemsWithIdentifiers: expiring, acknowledgementHandler: {})
      }
    }
  }

  private func acknowledge() {
    store.enqueue(
      PendingWrite { _ in
        [
          Event(
            kind: .index, item: Reserved.acknowledgedItem, attributes: [Reserved.value: .bool(true)]
          )
        ]
      })
  }
}
