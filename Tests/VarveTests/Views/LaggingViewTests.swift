import Foundation
import Synchronization
import Testing
import Varve
import VarveCore
import VarveTestSupport

/// Live realms that are read continuously move after they have been behind for `maximumLag`.
@Suite struct LaggingViewTests {
  /// A store whose maintenance runs only in ``pass(_:_:reading:)``.
  private func withCountedSeconds(
    _ change: (inout Realm.Configuration) -> Void = { _ in },
    _ body: (Realm, TemporaryRealm) throws -> Void
  ) throws {
    try withTemporaryRealm(change) { realm, store in
      try store.configuration.store().leaveHousekeeping()
      try body(realm, store)
    }
  }

  /// Runs the work that the maintenance thread does in the given number of seconds, with a read in
  /// each second.
  private func pass(_ seconds: Int, _ store: TemporaryRealm, reading read: () -> Void) throws {
    let core = try store.configuration.store()
    for _ in 0..<seconds {
      read()
      core.tidy()
    }
  }

  @Test func readRealmMovesAfterLimit() throws {
    try withCountedSeconds { realm, store in
      try realm.write { realm.add(Sheep(1, age: 1)) }
      let read = try store.open()
      let sheep = try #require(read.objects(Sheep.self).first)
      // There is no newer version to move to.
      try pass(30, store) { _ = sheep.age }
      try realm.write { realm.objects(Sheep.self).first?.age = 2 }
      try pass(10, store) { #expect(sheep.age == 1) }
      try pass(1, store) { #expect(sheep.age == 1) }
      #expect(sheep.age == 2 && read.version == realm.version)
      // Further commits do not postpone the move.
      for age in 3...13 {
        try realm.write { realm.objects(Sheep.self).first?.age = age }
        try pass(1, store) { #expect(sheep.age == 2) }
      }
      #expect(sheep.age == 13)
    }
  }

  @Test func refreshRestartsLimit() throws {
    try withCountedSeconds { realm, store in
      try realm.write { realm.add(Sheep(1, age: 0)) }
      let read = try store.open()
      let sheep = try #require(read.objects(Sheep.self).first)
      for age in 1...8 {
        try realm.write { realm.objects(Sheep.self).first?.age = age }
        try pass(4, store) { #expect(sheep.age == age - 1) }
        try read.refresh()
      }
    }
  }

  @Test(arguments: [1, 3]) func lagLimitIsConfigurable(seconds: Int) throws {
    try withCountedSeconds({ $0.maximumLag = .seconds(Int64(seconds)) }) { realm, store in
      let read = try store.open()
      try realm.write { realm.add(Sheep(1)) }
      try pass(seconds, store) { #expect(read.objects(Sheep.self).isEmpty) }
      try pass(1, store) { #expect(read.objects(Sheep.self).isEmpty) }
      #expect(read.objects(Sheep.self).count == 1)
    }
  }

  @Test func negativeLimitThrows() throws {
    for change: (inout Realm.Configuration) -> Void in [
      { $0.maximumLag = .seconds(-1) }, { $0.maximumLagBytes = -1 },
    ] {
      let store = try TemporaryRealm(change)
      defer { store.remove() }
      expectError(.invalidInput) { try store.open() }
    }
  }

  @Test func realmPinningManyPagesMovesAfterOneSecond() throws {
    try withCountedSeconds({ $0.maximumLagBytes = 1 << 20 }) { realm, store in
      let tally = Tally(value: ["id": 1])
      try realm.write { realm.add(tally) }
      let read = try store.open()
      let seen = try #require(read.objects(Tally.self).first)
      #expect(seen.value == 0)
      for number in 1...8 {
        try realm.write {
          tally.value = number
          tally.padding = String(repeating: "\(number)", count: 400_000)
        }
      }
      // At first the realm has been behind for less than a second.
      try pass(1, store) { #expect(seen.value == 0) }
      try pass(1, store) { #expect(seen.value == 0) }
      #expect(seen.value == 8)
    }
  }

  @Test func readGlobalRealmDoesNotGrowFile() throws {
    try withCountedSeconds({ $0.maximumLagBytes = 8 << 20 }) { realm, store in
      let tally = Tally(value: ["id": 1])
      try realm.write { realm.add(tally) }
      let read = try store.open()
      let seen = try #require(read.objects(Tally.self).first)
      let padding = String(repeating: "x", count: 400_000)
      for number in 1...200 {
        try realm.write {
          tally.value = number
          tally.padding = "\(number)" + padding
        }
        if number % 10 == 0 { try pass(1, store) { #expect(seen.value <= number) } }
      }
      // 80 MB were written.
      let size = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int
      #expect(try #require(size) < 40 << 20)
      #expect(seen.value >= 150)
    }
  }

  @Test func realmWithoutAutorefreshAndFrozenRealmKeepVersion() throws {
    try withCountedSeconds { realm, store in
      try realm.write { realm.add(Sheep(1)) }
      let (held, frozen) = (try store.open(), realm.freeze())
      held.autorefresh = false
      try realm.write { realm.add(Sheep(2)) }
      try pass(30, store) {
        #expect(held.objects(Sheep.self).count == 1)
        #expect(frozen.objects(Sheep.self).count == 1)
      }
    }
  }

  @Test func queueRealmMovesOnItsQueue() throws {
    try withCountedSeconds { realm, store in
      let queue = DispatchQueue(label: "test")
      let read = try Realm(configuration: store.configuration, queue: queue)
      try queue.sync {
        onAnotherThread { try store.open().write { try store.open().add(Sheep(1)) } }
        // A job of the queue sees one version, however long it runs.
        try pass(30, store) { #expect(read.objects(Sheep.self).isEmpty) }
      }
      // The refresh job is enqueued soon after the commit.
      let end = Date() + 30
      var count = 0
      while count == 0, Date() < end {
        count = queue.sync { read.objects(Sheep.self).count }
        usleep(1_000)
      }
      #expect(count == 1)
    }
  }

  @Test func iteratorKeepsItsVersion() throws {
    try withCountedSeconds { realm, store in
      try realm.write { for id in 1...30 { realm.add(Sheep(id, age: 1, weights: [1, 2, 3])) } }
      let read = try store.open()
      let sheep = read.objects(Sheep.self)
      var iterator = sheep.makeIterator()
      var weights = try #require(sheep.first).weights.makeIterator()
      #expect(iterator.next()?.id == 1 && weights.next() == 1)
      try realm.write { realm.deleteAll() }
      try pass(12, store) { _ = sheep.count }
      #expect(sheep.isEmpty)
      var count = 1
      while iterator.next() != nil { count += 1 }
      #expect(count == 30)
      #expect(weights.next() == 2 && weights.next() == 3 && weights.next() == nil)
      // A loop over indices reads the current version each time: it ends, and does not trap.
      try realm.write { for id in 1...30 { realm.add(Sheep(id, age: 1)) } }
      try read.refresh()
      for index in 0..<sheep.count {
        if index == 10 {
          try realm.write { realm.deleteAll() }
          try pass(12, store) { _ = sheep.count }
        }
        #expect(sheep[index].isInvalidated == (index >= 10))
      }
    }
  }

  @Test func realmDoesNotMoveInsideWrite() throws {
    try withCountedSeconds { realm, store in
      try realm.write { realm.add(Sheep(1)) }
      let other = try store.open()
      try realm.write {
        realm.add(Sheep(2))
        try pass(30, store) {
          #expect(realm.objects(Sheep.self).count == 2)
          #expect(other.objects(Sheep.self).count == 2)
        }
        onAnotherThread { #expect(realm.objects(Sheep.self).count == 1) }
      }
      #expect(other.objects(Sheep.self).count == 2)
    }
  }

  @Test func writeRefusedByPinsMovesLiveRealmsFirst() throws {
    try withCountedSeconds({ $0.maximumNumberOfActiveVersions = 4 }) { realm, store in
      let read = try store.open()
      #expect(read.objects(Sheep.self).isEmpty)
      for id in 1...4 { try realm.write { realm.add(Sheep(id)) } }
      // Not before a second has passed, though.
      expectError(.tooManyVersions) { try realm.write {} }
      try pass(2, store) { #expect(read.objects(Sheep.self).isEmpty) }
      try realm.write { realm.add(Sheep(5)) }
      #expect(read.objects(Sheep.self).count == 4)
      try read.refresh()
      let frozen = realm.freeze()
      for id in 6...9 { try realm.write { realm.add(Sheep(id)) } }
      try pass(2, store) { #expect(frozen.objects(Sheep.self).count == 5) }
      expectError(.tooManyVersions) { try realm.write {} }
    }
  }

  @Test func readRealmFollowsAnotherProcess() throws {
    try withCountedSeconds { realm, store in
      try realm.write { realm.add(Tally(value: ["id": 1])) }
      let read = try store.open()
      let tally = try #require(read.objects(Tally.self).first)
      let process = TestProcess(["viewIncrement", store.path, "1", "2000"])
      #expect(process.line() == "ready")
      process.go()
      #expect(process.line() == "done")
      try pass(11, store) { #expect(tally.value == 0) }
      #expect(tally.value == 2000)
      process.wait()
    }
  }
}
