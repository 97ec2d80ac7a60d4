import HashTree
import TestSupport

extension SeededGenerator { mutating func hash() -> Hash32 { HashTree.leaf(bytes(8)) } }
