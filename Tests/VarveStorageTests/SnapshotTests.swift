import Testing
import VarveStorage
import VarveTestSupport

@Suite struct SnapshotTests {
  @Test func snapshotsKeepVersion() throws {
    try withStore(mapSize: 8 << 20) { environment, _ in
      try environment.write { _ = try $0.openTable(dogs, create: true) }
      var pinned: [(Snapshot, UInt64)] = []
      for version in 0..<UInt64(60) {
        let snapshot = try environment.write { transaction in
          for id in 0..<UInt64(50) {
            try transaction.put(dogs, id: id, [UInt8](repeating: UInt8(version), count: 40))
          }
          if version > 0 { try transaction.delete(dogs, id: 100 + version - 1) }
          try transaction.put(dogs, id: 100 + version, [1])
        }
        if version % 7 == 0 { pinned.append((snapshot, version)) }
      }
      for (snapshot, version) in pinned {
        #expect(snapshot.count(dogs) == 51)
        #expect(snapshot.bytes(dogs, id: 100 + version) == [1])
        for id in 0..<UInt64(50) {
          #expect(
            snapshot.bytes(dogs, id: id) == [UInt8](repeating: UInt8(version), count: 40))
        }
      }
    }
  }

  @Test func callersOfSameVersionShareSnapshot() throws {
    try withStore { environment, _ in
      let first = try environment.snapshot()
      #expect(try environment.snapshot() === first)
      let second = try environment.write { try $0.put(.catalog, key: "a", "b") }
      #expect(try environment.snapshot() === second)
      #expect(second !== first)
    }
  }

  @Test func staleSnapshotIsReleased() throws {
    try withStore { environment, directory in
      _ = try environment.snapshot()
      #expect(environment.liveSnapshotCount == 1)
      environment.releaseStaleSnapshot()
      #expect(environment.liveSnapshotCount == 1)
      let process = TestProcess(["commit", directory.file(), "1"])
      _ = process.line()
      process.go()
      _ = process.line()
      environment.releaseStaleSnapshot()
      #expect(environment.liveSnapshotCount == 0)
    }
  }

  @Test func manyThreadsReadOneSnapshot() throws {
    try withStore { environment, _ in
      let snapshot = try environment.write { transaction in
        _ = try transaction.openTable(dogs, create: true)
        for id in 0..<UInt64(500) {
          try transaction.put(dogs, id: id, withUnsafeBytes(of: id) { Array($0) })
        }
      }
      let wrong = Counter()
      onThreads(4) { number in
        for round in 0..<20 {
          for id in UInt64(0)..<500 {
            let found = snapshot.find(dogs, id: id)
            if found?.loadUnaligned(as: UInt64.self) != id { wrong.add() }
          }
          var cursor = snapshot.cursor(dogs)
          var expected: UInt64 = 0
          while cursor.next() {
            if cursor.id != expected { wrong.add() }
            expected += 1
          }
          if expected != 500 { wrong.add() }
          // Tables that have not been looked up yet.
          if snapshot.count(.objects(ofClass: UInt32(50 + number + round))) != 0 { wrong.add() }
        }
      }
      #expect(wrong.value == 0)
    }
  }
}
