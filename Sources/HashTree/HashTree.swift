// HashTree
