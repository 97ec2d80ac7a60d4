import Projections
import TestSupport
import Testing

/// Digests of rows, and what an erasure takes.
@Suite struct RowDigestTests {
  private func row(_ number: UInt64) -> RowHasher {
    var hasher = RowHasher(kind: 9)
    hasher.add(number)
    return hasher
  }

  @Test func `a digest does not depend on the order of rows, and forgets what is taken out`() {
    var random = SeededGenerator(seed: 3)
    let numbers = (0..<100).map { _ in random.next() }
    var (one, other) = (RowDigest(), RowDigest())
    for number in numbers { one.add(row(number)) }
    for number in numbers.shuffled(using: &random) { other.add(row(number)) }
    #expect(one == other)
    for number in numbers { other.remove(row(number)) }
    #expect(other == RowDigest())
    other.add(row(1))
    other.add(row(1))
    #expect(other != RowDigest())
  }

  @Test func `the same fields cut otherwise are another row`() {
    var (one, other) = (RowHasher(kind: 1), RowHasher(kind: 1))
    let bytes = Array("abcdef".utf8)
    one.add(bytes, 0..<2)
    one.add(bytes, 2..<6)
    other.add(bytes, 0..<4)
    other.add(bytes, 4..<6)
    #expect(one.finish().low != other.finish().low)
  }

  @Test func `an erasure takes its events, and the items and domains that nothing else names`() {
    var checkpoint = Checkpoint()
    (checkpoint.applied, checkpoint.itemCount, checkpoint.domainCount) = (10, 3, 2)
    var erasure = Erasure([2, 4, 99], checkpoint)
    erasure.keep(item: 1, domain: 0)
    erasure.keep(item: ResolvedEvent.none, domain: ResolvedEvent.none)
    #expect((1...12).filter { erasure.contains($0) } == [2, 4])
    #expect((0..<5).filter { erasure.isGone(item: $0) } == [0, 2, 3, 4])
    #expect((0..<3).filter { erasure.isGone(domain: $0) } == [1, 2])
  }
}
