import HashTree
import TestSupport
import Testing

/// Whatever the bytes, a decoder gives a value or an error; it never traps and never runs away.
@Suite struct `Hostile input` {
  private func feed(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let note = try? SignedNote(encoded: bytes) {
      #expect((try? SignedNote(encoded: note.encoded)) == note)
      _ = try? Checkpoint(text: note.text)
    }
    if let checkpoint = try? Checkpoint(text: text) { #expect(checkpoint.text == text) }
    if let proof = try? OfflineProof(encoded: bytes) {
      #expect((try? OfflineProof(encoded: Array(proof.encoded.utf8))) == proof)
    }
    if let request = try? Witness.Request(encoded: bytes) {
      #expect((try? Witness.Request(encoded: Array(request.encoded.utf8))) == request)
    }
    if let key = try? VerifierKey(text) { #expect((try? VerifierKey(key.text)) == key) }
    if let key = try? SignerKey(text) { #expect(key.privateText.utf8.elementsEqual(text.utf8)) }
    if let tile = Tile(path: text) { #expect(tile.path == text) }
    if let decoded = Base64.decode(bytes) { #expect(Array(Base64.encode(decoded).utf8) == bytes) }
    if let entries = try? EntryBundle.decode(bytes) {
      #expect((try? EntryBundle.encode(entries)) == bytes)
    }
    if let compactRange = CompactRange(encoded: bytes) { #expect(compactRange.encoded == bytes) }
    _ = Hash32(bytes: bytes)
    _ = Hash32(base64: text)
  }

  @Test(arguments: UInt64(0)..<4) func `random bytes are taken or refused, never trapped on`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 { feed(random.bytes(Int.random(in: 0..<200, using: &random))) }
  }

  @Test(arguments: UInt64(0)..<4)
  func `well-formed texts with random damage are taken or refused, never trapped on`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let key = try SignerKey(name: "log", seed: random.bytes(32))
    let note = try Checkpoint(origin: "log", size: 5, root: random.hash()).signed(by: [key])
    let hashes = (0..<3).map { _ in random.hash() }
    let texts = [
      note.encoded, note.text, key.privateText, key.verifier.text, "tile/0/x001/x234/067.p/112",
      OfflineProof(extra: [1], leafIndex: 2, hashes: hashes, checkpoint: note).encoded,
      Witness.Request(oldSize: 3, proof: hashes, checkpoint: note).encoded,
    ]
    let special = Array("\n\n \u{2014}+=/09xp.".utf8)
    for _ in 0..<1500 {
      var bytes = Array((texts.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.removeSubrange(min(place, bytes.count)...)
        case 1 where !bytes.isEmpty: bytes.remove(at: place)
        case 2:
          bytes.insert(special.randomElement(using: &random) ?? 0, at: min(place, bytes.count))
        case 3: bytes.insert(contentsOf: bytes.prefix(place), at: min(place, bytes.count))
        default: if !bytes.isEmpty { bytes[place] ^= UInt8.random(in: 1...255, using: &random) }
        }
      }
      feed(bytes)
    }
  }

  @Test func `an error never repeats what it was given`() {
    let secret = "s3cret-text"
    for text in [secret, "\(secret)+00000000+AA==", "\(secret)\n\n— \(secret) !\n"] {
      var messages: [String] = []
      do throws(CairnError) { _ = try SignedNote(encoded: text) } catch {
        messages.append("\(error)")
      }
      do throws(CairnError) { _ = try VerifierKey(text) } catch { messages.append("\(error)") }
      do throws(CairnError) { _ = try Checkpoint(text: text) } catch { messages.append("\(error)") }
      #expect(messages.count == 3)
      #expect(messages.allSatisfy { !$0.contains(secret) })
    }
  }
}
