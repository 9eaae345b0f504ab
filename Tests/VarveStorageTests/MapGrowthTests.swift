import Testing
import VarveStorage

@Suite struct MapGrowthTests {
  @Test func theMapGrowsUnderFrozenSnapshots() throws {
    try withStore(reader: .pages, mapSize: 1 << 20) { environment, _ in
      try environment.write { _ = try $0.openTable(dogs, create: true) }
      var frozen: [(Snapshot, UInt64)] = []
      let before = environment.mapSize
      for number in UInt64(0)..<60 {
        let snapshot = try environment.write { transaction in
          for part in UInt64(0)..<20 {
            try transaction.put(
              dogs, id: number * 20 + part, [UInt8](repeating: UInt8(number), count: 5000))
          }
        }
        if number % 10 == 0 { frozen.append((snapshot, number)) }
      }
      #expect(environment.mapSize > before)
      for (snapshot, number) in frozen {
        #expect(snapshot.count(dogs) == Int(number + 1) * 20)
        #expect(
          snapshot.bytes(dogs, id: number * 20) == [UInt8](repeating: UInt8(number), count: 5000))
        try StructureWalk.check(snapshot)
      }
    }
  }

  @Test(arguments: bothReaders)
  func afterAFullMapARetryGoesOn(_ reader: ReaderKind) throws {
    try withStore(reader: reader, mapSize: 1 << 20) { environment, _ in
      func fill() throws {
        try environment.write { transaction in
          for key in 0..<400 {
            try transaction.put(.catalog, key: "\(key)", String(repeating: "x", count: 5000))
          }
        }
      }
      var failures = 0
      while failures < 10 {
        let code = errorCode { try fill() }
        if code == nil { break }
        #expect(code == .mapFull)
        failures += 1
      }
      #expect(failures > 0 && failures < 4)
      let count = try environment.snapshot().count(.catalog)
      #expect(count == 400)
    }
  }

  @Test func throughLMDBSnapshotsKeepTheMapFromGrowing() throws {
    try withStore(reader: .cursor, mapSize: 1 << 20) { environment, _ in
      try environment.write { try $0.put(.catalog, key: "key", "value") }
      do {
        let frozen = try environment.snapshot()
        let code = errorCode {
          for key in 0..<400 {
            let transaction = try environment.beginWrite(timeout: .milliseconds(10))
            do {
              try transaction.put(.catalog, key: "\(key)", String(repeating: "x", count: 5000))
              _ = try transaction.commit()
            } catch {
              transaction.abort()
              throw error
            }
          }
        }
        #expect(code == .mapFull)
        #expect(frozen.text(.catalog, key: "key") == "value")
      }
      // The snapshot is gone: now it grows.
      try environment.write { transaction in
        try transaction.put(.lists, key: "a", String(repeating: "x", count: 5000))
      }
      #expect(environment.mapSize > 1 << 20)
    }
  }

  @Test func aLargerMapOfAnotherProcessIsTakenOver() throws {
    try withStore(reader: .pages, mapSize: 1 << 20) { environment, directory in
      let frozen = try environment.write { try $0.put(.catalog, key: "key", "value") }
      // The other process has a map of 64 MiB and fills it beyond ours.
      let process = TestProcess(["fileLimit", directory.file(), "1000000000"])
      #expect(process.line() == "ok")
      #expect(process.line() == "ok")
      process.wait()
      let snapshot = try environment.snapshot()
      #expect(snapshot.count(.catalog) == 102)
      #expect(environment.mapSize > 1 << 20)
      #expect(frozen.count(.catalog) == 1)
      try environment.write { try $0.put(.catalog, key: "more", "value") }
    }
  }
}
