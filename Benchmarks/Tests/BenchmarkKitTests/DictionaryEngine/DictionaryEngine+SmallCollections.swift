import BenchmarkKit

extension DictionaryEngine: SmallListEngine {
  func insertSmallLists(_ lists: [[String]], perTransaction: Int) throws {
    store.write { contents in
      for id in kept(lists.indices) { contents.smallLists[id] = lists[id] }
    }
  }

  func changeSmallLists(_ changes: [SmallListChange], perTransaction: Int) throws {
    store.write { contents in
      for change in changes { contents.smallLists[change.id]?[change.index] = change.element }
    }
  }

  func readSmallLists() throws -> [[String]] {
    let lists = store.read { $0.smallLists.sorted { $0.key < $1.key }.map(\.value) }
    return Kind.flaw == .answersWrongly ? lists.map { $0.reversed() } : lists
  }
}

extension DictionaryEngine: SmallMapEngine {
  func insertSmallMaps(_ maps: [[SmallMapEntry]], perTransaction: Int) throws {
    store.write { contents in
      for id in kept(maps.indices) {
        contents.smallMaps[id] = Dictionary(
          uniqueKeysWithValues: maps[id].map { ($0.key, $0.value) })
      }
    }
  }

  func changeSmallMaps(_ changes: [SmallMapChange], perTransaction: Int) throws {
    store.write { contents in
      for change in changes { contents.smallMaps[change.id]?[change.key] = change.value }
    }
  }

  func incrementInSmallMap(_ id: Int, key: String, times: Int) throws {
    for _ in 0..<times {
      store.write { $0.smallMaps[id]?[key, default: 0] += 1 }
    }
  }

  func readSmallMaps() throws -> [[String: Int]] {
    let maps = store.read { $0.smallMaps.sorted { $0.key < $1.key }.map(\.value) }
    return Kind.flaw == .answersWrongly ? maps.map { $0.mapValues { $0 + 1 } } : maps
  }
}
