import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// Opens a store when it is deallocated.
private final class Opener: Sendable {
  let configuration: Realm.Configuration
  let count: EventRecorder<Int>

  init(_ configuration: Realm.Configuration, _ count: EventRecorder<Int>) {
    (self.configuration, self.count) = (configuration, count)
  }

  deinit { count.note((try? Realm(configuration: configuration).objects(Sheep.self).count) ?? -1) }
}

@Suite struct StoreClosingTests {
  @Test func storeRemainsOpenUntilClosed() throws {
    try withTemporaryRealm { realm, store in
      let first = try store.configuration.store()
      #expect(try store.configuration.store() === first)
      // A new configuration finds it as well.
      let again = Realm.Configuration(
        fileURL: store.configuration.fileURL, durability: .none, mapReservation: 1 << 30)
      #expect(try again.store() === first)
      try Realm.close(again)
      #expect(try store.configuration.store() !== first)
    }
  }

  @Test func objectReleasedByClosingMayOpenStore() throws {
    try withTemporaryRealm { realm, store in
      let count = EventRecorder<Int>()
      var opener: Opener? = Opener(store.configuration, count)
      let token = try realm.objects(Sheep.self).observe { [opener] _ in _ = opener }
      opener = nil
      try Realm.close(store.configuration)
      // The closing released the closure of the observer, and the closure the object.
      #expect(count.all == [0])
      token.invalidate()
    }
  }

  @Test func realmOfClosedStoreReadsAndRefusesEverythingElse() throws {
    try withTemporaryRealm { realm, store in
      let sheep = Sheep(1, age: 3, weights: [1])
      try realm.write { realm.add(sheep) }
      try Realm.close(store.configuration)
      #expect(sheep.age == 3)
      #expect(Array(sheep.weights) == [1])
      #expect(realm.objects(Sheep.self).count == 1)
      func expectRefusals() {
        expectError(.closed) { try realm.refresh() }
        expectError(.closed) { try realm.write { sheep.age = 4 } }
        expectError(.closed) { try realm.beginWrite() }
        expectError(.closed) { try realm.register(Bell.self) }
        #expect(realm.freeze().objects(Sheep.self).count == 1)
        #expect(sheep.freeze().thaw()?.age == 3)
      }
      expectRefusals()
      // The same after the file is opened again: the old realm does not belong to the new store.
      let other = try store.open()
      #expect(other != realm)
      try other.write { other.objects(Sheep.self).first?.age = 5 }
      expectRefusals()
      #expect(sheep.age == 3)
      #expect(other.objects(Sheep.self).first?.age == 5)
    }
  }

  @Test func asyncWritesOfClosedStoreThrow() async throws {
    try await withTemporaryRealm { realm, store in
      try await realm.asyncWrite {}
      try Realm.close(store.configuration)
      for _ in 0..<2 {
        do {
          try await realm.asyncWrite {}
          Issue.record("The store is closed.")
        } catch let error as Realm.Error {
          #expect(error.code == .closed)
        }
        _ = try store.open()
      }
    }
  }

  @Test func closingUnopenedStoreDoesNothing() throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "varve-test-\(UUID().uuidString)")
    let url = directory.appending(path: "never.varve")
    try Realm.close(Realm.Configuration(fileURL: url))
    #expect(!FileManager.default.fileExists(atPath: directory.path))
    try withTemporaryRealm { _, store in
      try Realm.close(store.configuration)
      try Realm.close(store.configuration)
    }
  }

  @Test func fileUnderAnotherPathIsSameStore() throws {
    try withTemporaryRealm { realm, store in
      let link = store.directory.deletingLastPathComponent()
        .appending(path: "varve-test-\(UUID().uuidString)")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store.directory)
      defer { try? FileManager.default.removeItem(at: link) }
      let alias = Realm.Configuration(
        fileURL: link.appending(path: "test.varve"), durability: .none, mapReservation: 1 << 30)
      let environment = try store.configuration.store().environment
      do {
        #expect(try Realm(configuration: alias) == realm)
      }
      try Realm.close(alias)
      // Closing by either path closes the file.
      expectError(.closed) { try realm.refresh() }
      expectError(.closed) { try realm.write {} }
      let snapshot = try? environment.snapshot()
      #expect(snapshot == nil)
    }
  }

  @Test func manyStoresAreOpenAtOnce() throws {
    let stores = try (0..<158).map { _ in try TemporaryRealm() }
    let realms = try stores.map { try $0.open() }
    for (number, realm) in realms.enumerated() {
      try realm.write { realm.add(Sheep(number, age: number)) }
    }
    #expect(Set(realms).count == 158)
    #expect(realms.map { $0.objects(Sheep.self).first?.age } == Array(0..<158))
    for store in stores { store.end() }
  }

  @Test func threadsOpenAndCloseOneStoreConcurrently() throws {
    let store = try TemporaryRealm()
    let written = Progress()
    onThreads(4) { number in
      for round in 0..<10 {
        do {
          let realm = try store.open()
          try realm.write { realm.add(Sheep(number * 10 + round)) }
          written.add()
        } catch let error as Realm.Error where error.code == .closed {
          continue
        }
        if round % 3 == 0 {
          do {
            try Realm.close(store.configuration)
          } catch let error as Realm.Error where [.busy, .closed].contains(error.code) {
            continue
          }
        }
      }
    }
    #expect(written.count > 0)
    #expect(try store.open().objects(Sheep.self).count == written.count)
    store.end()
  }

  @Test func forkedChildIsRefused() throws {
    let store = try TemporaryRealm()
    let process = TestProcess(["viewFork", store.path])
    for call in ["open", "refresh", "write", "begin", "close"] {
      #expect(process.line() == "forked", "\(call)")
    }
    #expect(process.line() == "true")
    // The parent continues.
    #expect(process.line() == "ok")
    #expect(process.line() == "1")
    #expect(process.line() == nil)
    process.wait()
    #expect(try store.open().objects(Tally.self).first?.value == 1)
    store.end()
  }

  @Test func forkedChildReadsNoLaterVersions() throws {
    let store = try TemporaryRealm()
    let process = TestProcess(["forkRead", store.path])
    #expect(process.line() == "0 objects, 0 heavy, 0 labels")
    #expect(process.line() == "1000 invalidated, 0.0 weight")
    #expect(process.line() == "0 in numbers")
    #expect(process.line() == "0 words")
    #expect(process.line() == "not found")
    #expect(process.line() == "249500 in keys")
    #expect(process.line() == "forked")
    #expect(process.line() == "ended")
    // The parent continues to read.
    #expect(process.line()?.hasPrefix("500 objects, 500 heavy, 500 labels; 0 invalidated") == true)
    #expect(process.line() == nil)
    process.wait()
    #expect(try store.open().objects(Crate.self).first?.label == "later 19")
    store.end()
  }
}
