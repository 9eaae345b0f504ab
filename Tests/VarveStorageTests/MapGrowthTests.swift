import Glibc
import Testing
import VarveStorage
import VarveTestSupport

@Suite struct MapGrowthTests {
  @Test func mapGrowsUnderFrozenSnapshots() throws {
    try withStore(mapSize: 1 << 20) { environment, _ in
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
        let count = (number + 1) * 20
        #expect(snapshot.count(dogs) == Int(count))
        for id in 0..<count {
          #expect(
            snapshot.bytes(dogs, id: id) == [UInt8](repeating: UInt8(id / 20), count: 5000))
        }
        #expect(snapshot.find(dogs, id: count) == nil)
        try StructureWalk.check(snapshot)
      }
    }
  }

  @Test func bytesOutliveMapTheyWereReadFrom() throws {
    try withStore(mapSize: 1 << 20) { environment, _ in
      let snapshot = try fill(environment, count: 300)
      var found: [(UInt64, UnsafeRawBufferPointer)] = []
      for id in UInt64(0)..<300 { found.append((id, try #require(snapshot.find(dogs, id: id)))) }
      var cursor = snapshot.cursor(dogs)
      while cursor.next() { found.append((cursor.id, cursor.value)) }
      #expect(found.count == 600)
      check(cursor.seek(id: 17))
      let key = cursor.key
      for _ in 0..<3 {
        try grow(environment)
        for (id, bytes) in found { #expect(bytes.elementsEqual(content(id))) }
        #expect(key.loadUnaligned(as: UInt64.self) == 17)
        check(cursor.id == 17 && cursor.value.elementsEqual(content(17)))
      }
    }
  }

  @Test func retryAfterMapFullSucceeds() throws {
    try withStore(mapSize: 1 << 20) { environment, _ in
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

  @Test func snapshotsDoNotPreventMapGrowth() throws {
    try withStore(mapSize: 1 << 20) { environment, _ in
      try environment.write { try $0.put(.catalog, key: "key", "value") }
      let frozen = try environment.snapshot()
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
      #expect(environment.mapSize > 1 << 20)
      #expect(frozen.text(.catalog, key: "key") == "value")
      #expect(frozen.count(.catalog) == 1)
      #expect(try environment.snapshot().count(.catalog) == 401)
    }
  }

  @Test func cursorsKeepPositionWhenMapGrows() throws {
    try withStore(mapSize: 1 << 20) { environment, _ in
      let snapshot = try fill(environment, count: 600)
      for table in [dogs, .indexes] {
        var walks: [(walk: Walk, move: Walk.Move)] = []
        for start in Walk.Start.all(600) {
          for move in Walk.Move.all(600) {
            walks.append((Walk(snapshot, table, count: 600, start), move))
          }
        }
        for _ in 0..<2 {
          try grow(environment)
          for (walk, move) in walks {
            walk.make(move)
            for step in 0..<3 { walk.make(step % 3 == 1 ? .previous : .next) }
          }
        }
      }
    }
  }

  @Test func cursorsMoveWhileMapGrows() throws {
    var random = SeededRandom()
    try withStore(mapSize: 1 << 20) { environment, _ in
      let snapshot = try fill(environment, count: 600)
      var walks: [Walk] = []
      for number in 0..<16 {
        walks.append(
          Walk(snapshot, number % 2 == 0 ? dogs : .indexes, count: 600, .unset, seed: random.seed))
      }
      for _ in 0..<6 {
        for walk in walks {
          for _ in 0..<Int.random(in: 0..<100, using: &random) { walk.make(.any(600, &random)) }
        }
        try grow(environment)
        #expect(snapshot.countRange(dogs, .ids(from: 100, below: 400)) == 300)
      }
    }
  }

  @Test func threadsReadWhileMapGrows() throws {
    for _ in 0..<4 {
      try withStore(mapSize: 1 << 20) { environment, _ in
        let frozen = try fill(environment, count: 500)
        let wrong = Counter()
        let grown = Counter()
        let rounds = (0..<4).map { _ in Counter() }
        onThreads(5) { number in
          guard number > 0 else {
            do {
              for growth in 0..<5 {
                // The map grows no faster than the other threads read.
                while rounds.contains(where: { $0.value <= growth }) { sched_yield() }
                try self.grow(environment)
              }
            } catch {
              Issue.record(error)
            }
            grown.add()
            return
          }
          repeat {
            let isRight =
              switch number {
              case 1: self.hasContent(frozen, of: UInt64(0)..<500)
              case 2: self.isWhole(frozen, count: 500)
              case 3: self.isInOrder(frozen, count: 500)
              default:
                (try? environment.snapshot()).map { self.hasContent($0, of: UInt64(200)..<300) }
                  == true
              }
            if !isRight { wrong.add() }
            rounds[number - 1].add()
          } while grown.value == 0
        }
        #expect(wrong.value == 0)
        #expect(environment.mapSize >= 32 << 20)
        #expect(isWhole(frozen, count: 500))
      }
    }
  }

  @Test func largerMapOfOtherProcessIsAdopted() throws {
    try withStore(mapSize: 1 << 20) { environment, directory in
      let frozen = try environment.write { try $0.put(.catalog, key: "key", "value") }
      // The other process has a map of 64 MiB and fills it beyond the size of this one.
      let process = TestProcess(["fileLimit", directory.file(), "1000000000"])
      #expect(process.line() == "ok")
      #expect(process.line() == "ok")
      process.wait()
      let snapshot = try environment.snapshot()
      #expect(snapshot.count(.catalog) == 102)
      #expect(environment.mapSize > 1 << 20)
      #expect(frozen.count(.catalog) == 1)
      #expect(frozen.text(.catalog, key: "key") == "value")
      try environment.write { try $0.put(.catalog, key: "more", "value") }
    }
  }
}

extension MapGrowthTests {
  /// Puts the same entries into a table with integer keys and a table with byte keys.
  private func fill(_ environment: Environment, count: UInt64) throws -> Snapshot {
    try environment.write { transaction in
      _ = try transaction.openTable(dogs, create: true)
      for id in 0..<count {
        try transaction.put(dogs, id: id, content(id))
        try transaction.put(.indexes, key: bigEndian(id), content(id))
      }
      try transaction.put(.catalog, key: "key", "value")
    }
  }

  /// Writes until the map is made larger.
  private func grow(_ environment: Environment) throws {
    let before = environment.mapSize
    var number = 0
    while environment.mapSize == before {
      try environment.write {
        try $0.put(
          .catalog, key: "\(before) \(number)", String(repeating: "x", count: before / 5))
      }
      number += 1
    }
  }

  private func hasContent(_ snapshot: Snapshot, of ids: Range<UInt64>) -> Bool {
    ids.allSatisfy { id in
      snapshot.find(dogs, id: id)?.elementsEqual(content(id)) == true
        && snapshot.bytes(.indexes, key: bigEndian(id)) == content(id)
    }
  }

  /// Whether walks visit all keys. They do little else, so that most of the time is spent in the
  /// storage.
  private func isInOrder(_ snapshot: Snapshot, count: UInt64) -> Bool {
    for _ in 0..<20 {
      var cursor = snapshot.cursor(dogs)
      var isRight = true
      var id: UInt64 = 0
      while cursor.next() {
        isRight = isRight && cursor.id == id
        id += 1
      }
      guard isRight, id == count else { return false }
    }
    return true
  }

  /// Whether a walk forward and back visits exactly the entries that `fill` has put.
  private func isWhole(_ snapshot: Snapshot, count: UInt64) -> Bool {
    var cursor = snapshot.cursor(dogs)
    for id in 0..<count {
      guard cursor.next(), cursor.id == id, cursor.value.elementsEqual(content(id)) else {
        return false
      }
    }
    guard !cursor.next() else { return false }
    for id in (0..<count).reversed() {
      guard cursor.previous(), cursor.id == id, cursor.value.elementsEqual(content(id)) else {
        return false
      }
    }
    return !cursor.previous() && snapshot.count(dogs) == Int(count)
  }
}

/// The value stored under an id. Some values are on overflow pages, and some are empty.
