import BenchmarkKit

extension DictionaryEngine: ListEngine {
  func appendToList(_ count: Int) throws {
    store.write { $0.list.append(contentsOf: kept(0..<count)) }
  }

  func insertIntoList(_ insertions: [(element: Int, index: Int)]) throws {
    store.write { contents in
      for (element, index) in insertions {
        contents.list.insert(element, at: min(index, contents.list.count))
      }
    }
  }

  func removeFromList(at indexes: [Int]) throws {
    store.write { contents in
      for index in indexes where index < contents.list.count { contents.list.remove(at: index) }
    }
  }

  func makeListReader() throws -> any ListReader { reader }
}

extension DictionaryEngine: MapEngine {
  func insertIntoMap(_ keys: [String]) throws {
    store.write { contents in
      for index in kept(keys.indices) { contents.map[keys[index]] = index }
    }
  }

  func makeMapReader() throws -> any MapReader { reader }
}

extension DictionaryReader: ListReader, MapReader {
  func readList(at indexes: [Int]) throws -> Checksum {
    answer(
      indexes.reduce(into: Checksum()) {
        if $1 < contents.list.count { $0.add(next: contents.list[$1]) }
      })
  }

  func readMap(keys: [String]) throws -> Checksum {
    answer(keys.compactMap { contents.map[$0] }.reduce(into: Checksum()) { $0.add(next: $1) })
  }

  func readWholeMap() throws -> Checksum {
    answer(contents.map.reduce(into: Checksum()) { $0.add(key: $1.key, value: $1.value) })
  }
}
