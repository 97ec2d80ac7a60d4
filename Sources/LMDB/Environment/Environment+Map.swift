import CLMDB

extension Environment {
  /// Doubles the map, once no transaction of this process is live.
  func growMap() throws(CairnError) {
    let current = mapByteCount
    try moveMap(to: current * 2, orBackTo: current)
  }

  /// Takes over the map size another process has grown the file to.
  func adoptMap() throws(CairnError) { try moveMap(to: 0, orBackTo: mapByteCount) }

  private func moveMap(to size: Int, orBackTo old: Int) throws(CairnError) {
    try readers.alone(place: fileName) { () throws(CairnError) in
      let status = unsafe mdb_env_set_mapsize(raw, size)
      guard status != 0 else { return }
      guard unsafe mdb_env_set_mapsize(raw, old) == 0 else {
        // Nothing is mapped any more; going on would read freed address space.
        readers.retire()
        throw error(status, doing: "map the file again")
      }
      throw error(status, doing: "grow the map")
    }
  }
}
