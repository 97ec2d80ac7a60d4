import HashTree
import Testing
import Values

/// The eight leaves of transparency-dev/merkle `testonly/constants.go`.
let knownLeaves: [[UInt8]] = [
  [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43], Array(0x50...0x57),
  Array(0x60...0x6f),
]

/// Roots of the trees over the first 0 to 8 of these leaves.
let knownRoots = [
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]

func hex(_ hash: Hash32) -> String { Hexadecimal.text(hash.bytes) }

@Suite struct `Known roots` {
  @Test(arguments: 0...8) func `the root of the first known leaves is the published one`(size: Int)
  {
    var compactRange = CompactRange()
    for leaf in knownLeaves.prefix(size) { compactRange.append(HashTree.leaf(leaf)) }
    #expect(hex(compactRange.root) == knownRoots[size])
    #expect(compactRange.size == UInt64(size))
  }

  @Test func `an empty tree and an empty leaf hash differently`() {
    #expect(hex(HashTree.emptyRoot) == knownRoots[0])
    #expect(hex(HashTree.leaf([])) == knownRoots[1])
  }

  @Test func `a published leaf hashes as published`() {
    let hash = HashTree.leaf(Array("L123456".utf8))
    #expect(hex(hash) == "395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56")
  }
}
