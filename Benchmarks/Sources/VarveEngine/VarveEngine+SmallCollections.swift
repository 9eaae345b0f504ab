package import BenchmarkKit
import Varve

extension VarveEngine: SmallListEngine {
  package func insertSmallLists(_ lists: [[String]], perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(lists.indices, perTransaction, of: realm) { ids in
      for id in ids { realm.add(SmallListHolder(id: id, lists[id])) }
    }
  }

  package func changeSmallLists(_ changes: [SmallListChange], perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(changes.indices, perTransaction, of: realm) { indices in
      for change in changes[indices] {
        let holder = realm.object(ofType: SmallListHolder.self, forPrimaryKey: change.id)
        holder?.texts[change.index] = change.element
      }
    }
  }

  package func readSmallLists() throws -> [[String]] {
    try Realm(configuration: configuration).objects(SmallListHolder.self).sorted(by: \.id)
      .map { Array($0.texts) }
  }
}

extension VarveEngine: SmallMapEngine {
  package func insertSmallMaps(_ maps: [[SmallMapEntry]], perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(maps.indices, perTransaction, of: realm) { ids in
      for id in ids { realm.add(SmallMapHolder(id: id, maps[id])) }
    }
  }

  package func changeSmallMaps(_ changes: [SmallMapChange], perTransaction: Int) throws {
    let realm = try Realm(configuration: configuration)
    try Self.inTransactions(changes.indices, perTransaction, of: realm) { indices in
      for change in changes[indices] {
        let holder = realm.object(ofType: SmallMapHolder.self, forPrimaryKey: change.id)
        holder?.numbersByKey[change.key] = change.value
      }
    }
  }

  package func incrementInSmallMap(_ id: Int, key: String, times: Int) throws {
    let realm = try Realm(configuration: configuration)
    for _ in 0..<times {
      try realm.write {
        guard let holder = realm.object(ofType: SmallMapHolder.self, forPrimaryKey: id) else {
          return
        }
        holder.numbersByKey[key] = (holder.numbersByKey[key] ?? 0) + 1
      }
    }
  }

  package func readSmallMaps() throws -> [[String: Int]] {
    try Realm(configuration: configuration).objects(SmallMapHolder.self).sorted(by: \.id)
      .map { holder in
        Dictionary(uniqueKeysWithValues: holder.numbersByKey.map { ($0.key, $0.value) })
      }
  }
}
