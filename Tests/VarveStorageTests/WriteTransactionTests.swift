import Testing
import VarveStorage

@Suite struct WriteTransactionTests {
  @Test func abortKeepsNothing() throws {
    try withStore { environment, _ in
      let before = try environment.snapshot()
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      _ = try transaction.openTable(dogs, create: true)
      try transaction.put(dogs, id: 1, [1])
      transaction.root.nextObjectID = 77
      transaction.abort()
      transaction.abort()
      let after = try environment.snapshot()
      #expect(after.version == before.version)
      #expect(after.root.nextObjectID == before.root.nextObjectID)
      #expect(!after.contains(dogs))
      expectError(.badTransaction) { try transaction.put(dogs, id: 2, [1]) }
      expectError(.badTransaction) { try transaction.commit() }
    }
  }

  @Test func droppedTransactionIsAborted() throws {
    try withStore { environment, _ in
      do {
        let transaction = try environment.beginWrite(timeout: .seconds(1))
        try transaction.put(.catalog, key: "a", "b")
      }
      let snapshot = try environment.write { try $0.put(.catalog, key: "c", "d") }
      #expect(snapshot.count(.catalog) == 1)
    }
  }

  @Test func transactionWithoutChangesMakesNoVersion() throws {
    try withStore { environment, _ in
      try environment.write { _ = try $0.openTable(dogs, create: true) }
      let before = try environment.snapshot()
      let after = try environment.write { transaction in
        #expect(try transaction.openTable(dogs, create: true))
        let wasDeleted = try transaction.delete(dogs, id: 5)
        #expect(!wasDeleted)
      }
      #expect(after === before)
    }
  }

  @Test func rootRecordIsStored() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        transaction.root.nextObjectID = 10
        transaction.root.nextClassID = 11
        transaction.root.schemaGeneration = 12
        transaction.root.userSchemaVersion = 13
      }
      #expect(snapshot.root.nextObjectID == 10)
      #expect(snapshot.root.nextClassID == 11)
      #expect(snapshot.root.schemaGeneration == 12)
      #expect(snapshot.root.userSchemaVersion == 13)
      #expect(snapshot.root.counter == 1)
      #expect(snapshot.root.fileKey == environment.fileKey)
    }
  }

  @Test func readsInTransactionSeeItsChanges() throws {
    try withStore { environment, _ in
      try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for id in UInt64(0)..<10 { try transaction.put(dogs, id: id, [UInt8(id)]) }
      }
      try environment.write { transaction in
        try transaction.delete(dogs, id: 3)
        try transaction.put(dogs, id: 4, [44])
        #expect(transaction.count(dogs) == 9)
        #expect(transaction.bytes(dogs, id: 3) == nil)
        #expect(transaction.bytes(dogs, id: 4) == [44])
        #expect(transaction.base.bytes(dogs, id: 3) == [3])
        var cursor = transaction.cursor(dogs)
        var ids: [UInt64] = []
        while cursor.next() { ids.append(cursor.id) }
        #expect(ids == [0, 1, 2, 4, 5, 6, 7, 8, 9])
        #expect(transaction.ids(dogs, in: 2...5) == [2, 4, 5])
        // A table that this transaction has not touched, and one that does not exist.
        #expect(transaction.count(.lists) == 0)
        #expect(transaction.find(cats, id: 1) == nil)
      }
    }
  }

  @Test func cursorOfUnchangedTableStaysInPreviousVersion() throws {
    try withStore { environment, _ in
      try environment.write { transaction in
        for key in ["a", "b", "c"] { try transaction.put(.catalog, key: key, "old") }
      }
      try environment.write { transaction in
        var cursor = transaction.cursor(.catalog)
        check(cursor.next())
        try transaction.put(.catalog, key: "b", "new")
        try transaction.beginNested()
        check(cursor.next() && cursor.value.elementsEqual("old".utf8))
        var changed = transaction.cursor(.catalog)
        check(changed.next() && changed.next() && changed.value.elementsEqual("new".utf8))
        try transaction.commitNested()
      }
    }
  }

  @Test func appendsOutOfOrderArePuts() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for id in [5, 9, 7, 9] as [UInt64] {
          try transaction.put(dogs, id: id, [UInt8(id)], append: true)
        }
      }
      #expect(snapshot.count(dogs) == 3)
      #expect(snapshot.bytes(dogs, id: 7) == [7])
    }
  }

  @Test func insertKeepsExistingEntry() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        let key: [UInt8] = [1]
        let first = try key.withUnsafeBytes { try transaction.insert(.indexes, key: $0, $0) }
        #expect(first)
        let second = try key.withUnsafeBytes {
          try transaction.insert(.indexes, key: $0, UnsafeRawBufferPointer(rebasing: $0[..<0]))
        }
        #expect(!second)
      }
      #expect(snapshot.bytes(.indexes, key: [1]) == [1])
    }
  }

  @Test func overlongKeyFailsWithoutFailingTransaction() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        #expect(environment.maximumKeySize == 511)
        let long = [UInt8](repeating: 1, count: 512)
        expectError(.keyTooLong) { try transaction.put(.indexes, key: long, [1]) }
        expectError(.keyTooLong) { try transaction.put(.indexes, key: [], [1]) }
        #expect(transaction.bytes(.indexes, key: long) == nil)
        #expect(transaction.failure == nil)
        try transaction.put(.indexes, key: [UInt8](repeating: 1, count: 511), [1])
      }
      #expect(snapshot.count(.indexes) == 1)
    }
  }

  @Test func failureIsPermanentAndReadsSeePreviousVersion() throws {
    try withStore(mapSize: 1 << 20) { environment, _ in
      try environment.write { try $0.put(.catalog, key: "0", "before") }
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      try transaction.put(.catalog, key: "0", "inside")
      #expect(transaction.text(.catalog, key: "0") == "inside")
      let big = String(repeating: "x", count: 5000)
      let code = errorCode {
        for key in 1..<1000 { try transaction.put(.catalog, key: "\(key)", big) }
      }
      #expect(code == .mapFull)
      #expect(transaction.failure?.code == .mapFull)
      expectError(.mapFull) { try transaction.put(.catalog, key: "1", "a") }
      expectError(.mapFull) { try transaction.delete(.catalog, id: 1) }
      expectError(.mapFull) { try transaction.beginNested() }
      expectError(.mapFull) { try transaction.openTable(cats, create: true) }
      #expect(transaction.text(.catalog, key: "0") == "before")
      #expect(transaction.count(.catalog) == 1)
      var cursor = transaction.cursor(.catalog)
      check(cursor.next() && !cursor.next())
      expectError(.mapFull) { try transaction.commit() }
      #expect(transaction.isEnded)
      #expect(try environment.snapshot().text(.catalog, key: "0") == "before")
    }
  }

  @Test func commitOnOtherThreadIsRefusedAndTransactionContinues() throws {
    try withStore { environment, _ in
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      try transaction.put(.catalog, key: "a", "b")
      onThreads(1) { _ in
        expectError(.badTransaction) { try transaction.commit() }
        // Changes may come from any thread, but only one at a time.
        let code = errorCode { try transaction.put(.catalog, key: "c", "d") }
        #expect(code == nil)
      }
      #expect(try transaction.commit().count(.catalog) == 2)
    }
  }
}
