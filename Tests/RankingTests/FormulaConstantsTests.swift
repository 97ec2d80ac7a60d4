import Projections
import Ranking
import Testing

/// The constants as part of a projection's definition.
@Suite struct FormulaConstantsTests {
  private func definition(_ change: (inout FoldConstants) -> Void = { _ in }) -> RowDigest {
    var constants = FoldConstants()
    change(&constants)
    var hasher = RowHasher(kind: 0)
    constants.add(to: &hasher)
    var digest = RowDigest()
    digest.add(hasher)
    return digest
  }

  @Test func `the same constants give the same definition`() {
    #expect(definition() == definition())
  }

  @Test func `any other value gives another definition`() {
    let changes: [(inout FoldConstants) -> Void] = [
      { $0.fastestHalfLifeSeconds += 1 },
      { $0.scaleExponent = $0.scaleExponent.nextUp }, { $0.viewWeight = $0.viewWeight.nextUp },
      { $0.editWeight = 1 }, { $0.choiceHalfLifeDays = 27 }, { $0.bounceWindowSeconds = 31 },
      { swap(&$0.selectionWeight, &$0.editWeight) },
    ]
    var seen = [definition()]
    for change in changes {
      let changed = definition(change)
      #expect(!seen.contains(changed))
      seen.append(changed)
    }
  }
}
