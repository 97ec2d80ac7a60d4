import Cairn
import TestSupport
import Testing

/// Random lives with steps and undos: what the store shows is what ``LifeModel`` makes of them.
@Suite struct LifeModelTests {
  private static let values: [AttributeValue] = [
    "x", "x y", "x y z", "y", "", 7, true, ["x", "y"],
  ]

  private static func step(_ keys: inout [String], _ random: inout SeededGenerator)
    -> LifeModel.Step
  {
    let old = keys.shuffled(using: &random)
    // No event has carried these.
    let new = ["k", "m"].map { "\($0)\(keys.count)" }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      keys.append(new[0])
      return .rename(old[0], new[0])
    case 2, 3:
      // A text that is written whole beside its parts is taken apart again where a split is undone
      // (Schemas.md), which the model does not know.
      keys = keys.filter { $0 != old[0] } + new
      return .split(old[0], new)
    case 4, 5:
      keys.append(new[0])
      return .join([old[0], old[1]], new[0])
    case 6: return .map(old[0], ["x": "one", "y": "two"])
    default: return .drop(old[0])
    }
  }

  private static func change(
    _ store: Store, _ model: inout LifeModel, _ keys: inout [String],
    _ random: inout SeededGenerator
  ) throws {
    if model.canUndo, Int.random(in: 0..<5, using: &random) < 2 {
      try store.undoSchema()
      model.undo()
      return
    }
    let steps = (0..<Int.random(in: 1...3, using: &random)).map { _ in step(&keys, &random) }
    let file = SchemaStoreTests.file("", model.list(steps).map(\.json).joined(separator: ","))
    try store.setSchema(try store.readSchema(file))
    model.set(steps)
  }

  private static func event(
    _ model: inout LifeModel, _ keys: [String], _ random: inout SeededGenerator
  ) -> Event {
    let item = "i\(Int.random(in: 0..<3, using: &random))"
    let isIndex = Int.random(in: 0..<4, using: &random) == 0
    var values: LifeModel.Values = [:]
    for key in keys.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)) {
      let isRemoved = !isIndex && Int.random(in: 0..<5, using: &random) == 0
      values[key] = isRemoved ? .null : Self.values.randomElement(using: &random)
    }
    model.record(item, isIndex: isIndex, values)
    return Event(
      kind: isIndex ? .index : .update, item: item, domain: isIndex ? .value("a") : .absent,
      attributes: Attributes(values.map { ($0.key, $0.value) }))
  }

  @Test(arguments: 0..<40) func showsWhatTheModelShows(_ seed: Int) async throws {
    try await withStore { store in
      var random = SeededGenerator(seed: UInt64(seed) &* 104_729 &+ 11)
      var model = LifeModel()
      var keys = ["a", "b", "c", "d"]
      for round in 1...6 {
        let events = (0..<8).map { _ in Self.event(&model, keys, &random) }
        try store.appendBlocking(events)
        try Self.change(store, &model, &keys, &random)
        for item in ["i0", "i1", "i2"] {
          let shown = model.shown(item).map { Attributes($0.map { ($0.key, $0.value) }) }
          #expect(
            try store.at().item(item)?.attributes == shown,
            "seed \(seed), round \(round), \(item): \(model.list([]).map(\.json))")
        }
      }
    }
  }
}
