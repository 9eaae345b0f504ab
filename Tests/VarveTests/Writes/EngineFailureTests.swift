import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct EngineFailureTests {
  @Test func mapGrowsWithStore() throws {
    try withTemporaryRealm({ $0.mapReservation = 1 << 20 }) { realm, _ in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      let frozen = realm.freeze()
      let text = String(repeating: "x", count: 10_000)
      for round in 0..<300 { try realm.write { crate.words.append(text + "\(round)") } }
      #expect(crate.words.count == 300)
      #expect(crate.words[299] == text + "299")
      #expect(frozen.object(ofType: Crate.self, forPrimaryKey: 1)?.words.isEmpty == true)
    }
  }

  /// After the engine failure no operation traps, and reads return the state before the write.
  @Test func fullMapFailsTransactionAndNextHasLargerMap() throws {
    try withTemporaryRealm({ $0.mapReservation = 1 << 20 }) { realm, store in
      let crate = Crate(1, numbers: 0..<1000)
      try realm.write {
        realm.add(crate)
        crate.words.append("first")
        crate.items.append(Item("a"))
        crate.notes["a"] = "b"
      }
      let text = String(repeating: "x", count: 5000)
      var failures = 0
      while failures < 10 {
        var sum = 0
        do {
          try realm.write {
            for index in 0..<1000 {
              crate.words.append(text)
              crate.label = text
              crate.numbers.append(index)
              crate.notes["\(index)"] = text
              crate.best = Item("\(index)")
              realm.create(Crate.self, value: ["id": index + 2, "label": text])
              sum += crate.numbers[index]
              _ = crate.words.last
            }
            if errorCode({ try realm.checkWrite() }) == .mapFull {
              #expect(crate.numbers[999] == 999)
              #expect(crate.label == "")
              #expect(crate.notes["a"] == "b")
              #expect(crate.best == nil)
              #expect(crate.items.first?.name == "a")
              #expect(realm.objects(Crate.self).count == 1)
              #expect(realm.object(ofType: Crate.self, forPrimaryKey: 2) == nil)
            }
          }
          break
        } catch let error as Realm.Error {
          #expect(error.code == .mapFull)
          #expect(error.path == store.path)
          failures += 1
          #expect(crate.words.count == 1)
          #expect(crate.numbers.count == 1000)
          #expect(realm.objects(Crate.self).count == 1)
        }
        #expect(sum == 999 * 500)
      }
      #expect((1...4).contains(failures))
      #expect(crate.words.count == 1001)
      #expect(realm.objects(Crate.self).count == 1001)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func loopsEndAfterEngineFailure() throws {
    try withTemporaryRealm({ $0.mapReservation = 1 << 20 }) { realm, _ in
      let crate = Crate(1, numbers: 0..<10)
      try realm.write {
        realm.add(crate)
        crate.words.append(objectsIn: ["a", "b", "c"])
        realm.add([Item("1"), Item("2")])
      }
      let code = errorCode {
        try realm.write {
          realm.create(
            Stamp.self, value: ["number": 1, "data": Data(repeating: 1, count: 3 << 20)])
          expectError(.mapFull) { try realm.checkWrite() }
          while !crate.words.isEmpty { crate.words.removeLast() }
          while crate.numbers.count < 20 { crate.numbers.append(1) }
          while crate.items.count < 3 { crate.items.append(Item("x")) }
          while !crate.numbers.isEmpty { crate.numbers.remove(at: 0) }
          while crate.notes.count < 3 { crate.notes["\(crate.notes.count)"] = "x" }
          while let item = realm.objects(Item.self).first { realm.delete(item) }
          while let crate = realm.objects(Crate.self).first { realm.delete(crate) }
        }
      }
      #expect(code == .mapFull)
      #expect(Array(crate.words) == ["a", "b", "c"])
      #expect(Array(crate.numbers) == Array(0..<10))
      #expect(realm.objects(Item.self).count == 2)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func loopsOverSetsEndAfterEngineFailure() throws {
    try withTemporaryRealm({ $0.mapReservation = 1 << 20 }) { realm, _ in
      let bag = Bag(1, coins: [Coin(1), Coin(2)])
      bag.strings.insert(objectsIn: ["a", "b"])
      try realm.write { realm.add(bag) }
      expectError(.mapFull) {
        try realm.write {
          realm.create(
            Stamp.self, value: ["number": 1, "data": Data(repeating: 1, count: 3 << 20)])
          while let text = bag.strings.first { bag.strings.remove(text) }
          while bag.ints.count < 5 { bag.ints.insert(bag.ints.count) }
          while !bag.coins.isEmpty { bag.coins.remove(bag.coins[0]) }
          while bag.coins.count < 3 { bag.coins.insert(Coin(bag.coins.count + 3)) }
        }
      }
      #expect(Array(bag.strings) == ["a", "b"] && bag.ints.isEmpty && bag.coins.count == 2)
    }
  }

  @Test func fullDiskIsReportedWithoutDataLoss() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let process = TestProcess(["realmFileLimit", store.path])
    #expect(
      process.line()
        == "outOfDiskSpace path The file has reached the file size limit.")
    #expect(process.line() == "kept")
    for _ in 0..<3 { #expect(process.line() == "outOfDiskSpace") }
    #expect(process.line() == "intact")
    #expect(process.wait() == 0)
  }
}
