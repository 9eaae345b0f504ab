package import BenchmarkKit
import GRDB

extension GRDBEngine: SmallListEngine {
  package func insertSmallLists(_ lists: [[String]], perTransaction: Int) throws {
    try pool.inTransactions(lists.indices, perTransaction) { db, ids in
      for id in ids {
        try SmallListRecord(id: id).insert(db)
        for (position, value) in lists[id].enumerated() {
          try SmallListElementRecord(owner: id, position: position, value: value).insert(db)
        }
      }
    }
  }

  /// Updates the row without fetching the record first.
  package func changeSmallLists(_ changes: [SmallListChange], perTransaction: Int) throws {
    try pool.inTransactions(changes.indices, perTransaction) { db, indices in
      for change in changes[indices] {
        try SmallListElementRecord(
          owner: change.id, position: change.index, value: change.element
        ).update(db)
      }
    }
  }

  package func readSmallLists() throws -> [[String]] { try pool.smallLists() }
}

extension GRDBEngine: SmallMapEngine {
  package func insertSmallMaps(_ maps: [[SmallMapEntry]], perTransaction: Int) throws {
    try pool.inTransactions(maps.indices, perTransaction) { db, ids in
      for id in ids {
        try SmallMapRecord(id: id).insert(db)
        for entry in maps[id] {
          try SmallMapEntryRecord(owner: id, key: entry.key, value: entry.value).insert(db)
        }
      }
    }
  }

  /// Updates the row without fetching the record first.
  package func changeSmallMaps(_ changes: [SmallMapChange], perTransaction: Int) throws {
    try pool.inTransactions(changes.indices, perTransaction) { db, indices in
      for change in changes[indices] {
        try SmallMapEntryRecord(owner: change.id, key: change.key, value: change.value).update(db)
      }
    }
  }

  /// Updates the row without fetching the record first.
  package func incrementInSmallMap(_ id: Int, key: String, times: Int) throws {
    for _ in 0..<times {
      _ = try pool.write { db in
        try SmallMapEntryRecord.filter(key: ["owner": id, "key": key])
          .updateAll(db, Column("value") += 1)
      }
    }
  }

  package func readSmallMaps() throws -> [[String: Int]] { try pool.smallMaps() }
}
