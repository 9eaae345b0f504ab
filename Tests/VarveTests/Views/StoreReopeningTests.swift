import CTestFaults
import Foundation
import Logging
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// Stores that are closed and opened again while earlier handles exist.
@Suite struct StoreReopeningTests {
  @Test func closingTwiceKeepsReopenedStoreOpen() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Sheep(1)) }
      let frozen = realm.freeze()
      let first = try store.configuration.store()
      try Realm.close(store.configuration)
      let reopened = try store.open()
      // As a thread would that found the store before the other thread closed it.
      try StoreRegistry.shared.close(first)
      let code = failureCode { () throws(Failure) in try first.close() }
      #expect(code == .closed)
      try reopened.write { reopened.add(Sheep(2)) }
      #expect(reopened.objects(Sheep.self).count == 2 && frozen.objects(Sheep.self).count == 1)
      try Realm.close(store.configuration)
      #expect(try store.open().objects(Sheep.self).count == 2)
    }
  }

  @Test func storeClosedOutsideRegistryReopens() throws {
    try withTemporaryRealm { realm, store in
      try store.configuration.store().close()
      let reopened = try store.open()
      try reopened.write { reopened.add(Sheep(1)) }
      #expect(reopened.objects(Sheep.self).count == 1)
    }
  }

  @Test func closingRacesWithOpening() throws {
    let rounds = isSoak ? 20_000 : 300
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Sheep(1)) }
      let frozen = realm.freeze()
      onThreads(3) { number in
        for _ in 0..<rounds {
          if number < 2 {
            try Realm.close(store.configuration)
          } else {
            // The other threads may close the store before the realm has acquired its version.
            try ignoringClosed {
              let count = try store.open().objects(Sheep.self).count
              #expect(count == 1)
            }
          }
        }
      }
      let last = try store.open()
      try last.write { last.add(Sheep(2)) }
      #expect(last.objects(Sheep.self).count == 2 && frozen.objects(Sheep.self).count == 1)
    }
  }

  @Test func realmsOfClosedStoresPinOneVersion() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Sheep(1, age: 0)) }
      let first = try store.configuration.store()
      var held: [Realm] = []
      for age in 1...40 {
        let open = try store.open()
        try open.write { open.objects(Sheep.self).first?.age = age }
        held.append(open)
        try Realm.close(store.configuration)
      }
      let last = try store.open()
      let environment = try store.configuration.store().environment
      // The version of the realms, and one that the environment may cache.
      #expect(environment.liveSnapshotCount <= 2)
      #expect(held.map { $0.objects(Sheep.self).first?.age } == Array(repeating: 40, count: 40))
      try last.write { last.objects(Sheep.self).first?.age = 50 }
      #expect(held[0].objects(Sheep.self).first?.age == 40)
      for _ in 0..<20 { first.tidy() }
      #expect(held[0].objects(Sheep.self).first?.age == 50)
      expectError(.closed) { try held[0].refresh() }
    }
  }

  /// Each opening pins the version again.
  @Test func realmsOfClosedStoresShareNewestVersion() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Sheep(1, age: 3)) }
      var held: [Realm] = []
      for _ in 0..<40 {
        held.append(try store.open())
        try Realm.close(store.configuration)
      }
      held.append(try store.open())
      #expect(try store.configuration.store().environment.liveSnapshotCount <= 2)
      #expect(held.map { $0.objects(Sheep.self).first?.age } == Array(repeating: 3, count: 41))
    }
  }

  /// A file as a power failure leaves it: a page of the last commit is not on the disk.
  @Test func unfinishedCommitIsTakenBackAndLogged() throws {
    try withTemporaryRealm({ $0.durability = .full }) { realm, store in
      try realm.write { realm.add(Sheep(1, age: 1)) }
      let before = try Data(contentsOf: URL(filePath: store.path))
      try realm.write { realm.add(Sheep(2, age: 2)) }
      var image = try Data(contentsOf: URL(filePath: store.path))
      let changed = try #require(
        (2..<image.count / 4096).first { page in
          let range = page * 4096..<(page + 1) * 4096
          return range.upperBound > before.count || before[range] != image[range]
        })
      image.resetBytes(in: changed * 4096..<(changed + 1) * 4096)
      let log = RecordedLog(level: .warning)
      try withTemporaryRealm({
        $0.durability = .full
        $0.logger = log.logger
        guard let url = $0.fileURL else { return }
        try? image.write(to: url)
      }) { opened, _ in
        #expect(opened.objects(Sheep.self).map(\.age) == [1])
        try opened.write { opened.add(Sheep(3, age: 3)) }
        #expect(try opened.check().isSound)
      }
      let message = "The last commit was not complete, and was taken back."
      #expect(log.lines.all.count { $0.contains(message) } == 1)
    }
  }

  /// The write of the meta page fails, or the synchronization.
  @Test(.enabled(if: fault_is_supported() != 0), arguments: [fault_write, fault_sync])
  func storeReopensAfterUnfinishedCommit(_ kind: fault_kind) throws {
    defer { fault_watch(nil) }
    try withTemporaryRealm({
      $0.durability = .full
      fault_watch($0.fileURL?.deletingLastPathComponent().path)
    }) { realm, store in
      let sheep = Sheep(1, age: 2)
      try realm.write { realm.add(sheep) }
      try realm.write { sheep.age = 3 }
      let frozen = realm.freeze()
      let frozenSheep = try #require(frozen.objects(Sheep.self).first)
      // The writes before that of the meta page leave the store usable.
      var code: Realm.Error.Code?
      for number in 1...6 where code == nil {
        fault_arm(
          fault_plan(
            kind: Int32(kind.rawValue), action: Int32(fault_fail.rawValue), number: Int64(number),
            error: 5, is_permanent: 1))
        expectError(kind == fault_write ? .fileAccess : .syncFailed) {
          try realm.write { sheep.age = 4 }
        }
        fault_arm(fault_plan())
        code = errorCode { try realm.write { sheep.age = 3 } }
      }
      #expect(code == (kind == fault_write ? .closed : .syncFailed))
      #expect(frozenSheep.age == 3)
      if kind == fault_sync { #expect(sheep.age == 3) }
      try Realm.close(store.configuration)
      #expect(frozenSheep.age == 3)
      let reopened = try store.open()
      try reopened.write { reopened.objects(Sheep.self).first?.age += 10 }
      #expect(reopened.objects(Sheep.self).first?.age == 13)
      // The earlier snapshots are not pinned anymore.
      #expect(frozenSheep.age == 0 && frozen.objects(Sheep.self).first == nil)
      #expect(frozen.objects(Sheep.self).isEmpty && sheep.age == 0)
      expectError(.closed) { try realm.refresh() }
      #expect(reopened.objects(Sheep.self).first?.age == 13)
    }
  }
}

private func failureCode(_ body: () throws(Failure) -> Void) -> Failure.Code? {
  do throws(Failure) {
    try body()
    return nil
  } catch {
    return error.code
  }
}

private func ignoringClosed(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let error as Realm.Error where error.code == .closed {}
}
