import Testing
import VarveStorage

@Suite struct NestedTransactionTests {
  @Test func onlyRolledBackPartIsLost() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for number in UInt64(0)..<10 {
          try transaction.beginNested()
          transaction.root.nextObjectID += 1
          try transaction.put(dogs, id: number, [UInt8(number)])
          #expect(transaction.bytes(dogs, id: number) == [UInt8(number)])
          if number % 3 == 0 {
            try transaction.abortNested()
            #expect(transaction.bytes(dogs, id: number) == nil)
          } else {
            try transaction.commitNested()
          }
        }
      }
      #expect(snapshot.count(dogs) == 6)
      #expect(snapshot.root.nextObjectID == 7)
    }
  }

  @Test func nestedTransactionsNest() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        try transaction.beginNested()
        try transaction.put(.catalog, key: "outer", "1")
        try transaction.beginNested()
        try transaction.put(.catalog, key: "inner", "1")
        try transaction.abortNested()
        try transaction.commitNested()
      }
      #expect(snapshot.text(.catalog, key: "outer") == "1")
      #expect(snapshot.text(.catalog, key: "inner") == nil)
    }
  }

  @Test func rollingBackOnlyChangeMakesNoVersion() throws {
    try withStore { environment, _ in
      let before = try environment.snapshot()
      let after = try environment.write { transaction in
        try transaction.beginNested()
        try transaction.put(.catalog, key: "a", "1")
        transaction.root.nextBlobID = 9
        try transaction.abortNested()
      }
      #expect(after === before)
    }
  }

  @Test func tablesAreNotCreatedInNestedTransactions() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        try transaction.beginNested()
        expectError(.badTransaction) { try transaction.openTable(dogs, create: true) }
        expectError(.tableNotOpen) { try transaction.put(dogs, id: 1, [1]) }
        #expect(transaction.failure == nil)
        try transaction.abortNested()
        // Afterwards nothing is written to the wrong table.
        _ = try transaction.openTable(cats, create: true)
        _ = try transaction.openTable(dogs, create: true)
        try transaction.put(cats, id: 1, [2])
        try transaction.put(dogs, id: 1, [1])
      }
      #expect(snapshot.bytes(cats, id: 1) == [2])
      #expect(snapshot.bytes(dogs, id: 1) == [1])
    }
  }

  @Test func tableHandlesOfAbortedTransactionAreNotUsed() throws {
    try withStore { environment, _ in
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      _ = try transaction.openTable(dogs, create: true)
      try transaction.put(dogs, id: 1, [1])
      transaction.abort()
      try environment.write { transaction in
        _ = try transaction.openTable(cats, create: true)
        try transaction.put(cats, id: 1, [2])
        #expect(transaction.find(dogs, id: 1) == nil)
        expectError(.tableNotOpen) { try transaction.put(dogs, id: 1, [1]) }
      }
      let snapshot = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        try transaction.put(dogs, id: 1, [3])
      }
      #expect(snapshot.bytes(cats, id: 1) == [2])
      #expect(snapshot.bytes(dogs, id: 1) == [3])
    }
  }

  @Test func cursorsEndWithTransaction() throws {
    try withStore { environment, _ in
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      try transaction.put(.catalog, key: "a", "1")
      var outer = transaction.cursor(.catalog)
      check(outer.next())
      try transaction.beginNested()
      check(!outer.next())
      var inner = transaction.cursor(.catalog)
      check(inner.next())
      try transaction.commitNested()
      check(!inner.seekFirst())
      var last = transaction.cursor(.catalog)
      _ = try transaction.commit()
      check(!last.next() && !last.isOnEntry)
    }
  }

  @Test func commitWithOpenNestedTransactionFails() throws {
    try withStore { environment, _ in
      let transaction = try environment.beginWrite(timeout: .seconds(1))
      try transaction.beginNested()
      try transaction.put(.catalog, key: "a", "1")
      expectError(.badTransaction) { try transaction.commit() }
      #expect(transaction.isEnded)
      expectError(.badTransaction) { try transaction.abortNested() }
      #expect(try environment.snapshot().count(.catalog) == 0)
    }
  }
}
