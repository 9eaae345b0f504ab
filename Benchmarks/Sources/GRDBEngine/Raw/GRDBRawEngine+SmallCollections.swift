package import BenchmarkKit
import GRDB

extension GRDBRawEngine: SmallListEngine {
  package func insertSmallLists(_ lists: [[String]], perTransaction: Int) throws {
    try pool.inTransactions(lists.indices, perTransaction) { db, ids in
      let owner = try db.cachedStatement(sql: "INSERT INTO smallList (id) VALUES (?)")
      let element = try db.cachedStatement(
        sql: "INSERT INTO smallListElement (owner, position, value) VALUES (?, ?, ?)")
      for id in ids {
        owner.setUncheckedArguments([id])
        try owner.execute()
        for (position, value) in lists[id].enumerated() {
          element.setUncheckedArguments([id, position, value])
          try element.execute()
        }
      }
    }
  }

  package func changeSmallLists(_ changes: [SmallListChange], perTransaction: Int) throws {
    try pool.inTransactions(changes.indices, perTransaction) { db, indices in
      let update = try db.cachedStatement(
        sql: "UPDATE smallListElement SET value = ? WHERE owner = ? AND position = ?")
      for change in changes[indices] {
        update.setUncheckedArguments([change.element, change.id, change.index])
        try update.execute()
      }
    }
  }

  package func readSmallLists() throws -> [[String]] { try pool.smallLists() }
}

extension GRDBRawEngine: SmallMapEngine {
  package func insertSmallMaps(_ maps: [[SmallMapEntry]], perTransaction: Int) throws {
    try pool.inTransactions(maps.indices, perTransaction) { db, ids in
      let owner = try db.cachedStatement(sql: "INSERT INTO smallMap (id) VALUES (?)")
      let insertion = try db.cachedStatement(
        sql: "INSERT INTO smallMapEntry (owner, key, value) VALUES (?, ?, ?)")
      for id in ids {
        owner.setUncheckedArguments([id])
        try owner.execute()
        for entry in maps[id] {
          insertion.setUncheckedArguments([id, entry.key, entry.value])
          try insertion.execute()
        }
      }
    }
  }

  package func changeSmallMaps(_ changes: [SmallMapChange], perTransaction: Int) throws {
    try pool.inTransactions(changes.indices, perTransaction) { db, indices in
      let update = try db.cachedStatement(
        sql: "UPDATE smallMapEntry SET value = ? WHERE owner = ? AND key = ?")
      for change in changes[indices] {
        update.setUncheckedArguments([change.value, change.id, change.key])
        try update.execute()
      }
    }
  }

  package func incrementInSmallMap(_ id: Int, key: String, times: Int) throws {
    for _ in 0..<times {
      try pool.write { db in
        let update = try db.cachedStatement(
          sql: "UPDATE smallMapEntry SET value = value + 1 WHERE owner = ? AND key = ?")
        update.setUncheckedArguments([id, key])
        try update.execute()
      }
    }
  }

  package func readSmallMaps() throws -> [[String: Int]] { try pool.smallMaps() }
}
