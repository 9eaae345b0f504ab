import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveStorage
import VarveTestSupport

@Suite struct RealmCheckTests {
  @Test func checkCountsContentOfSoundStore() async throws {
    let store = try TemporaryRealm()
    let configuration = store.configuration
    try addNode(try store.open())
    let realm = try await Realm(configuration: configuration)
    let report = try await realm.check()
    #expect(report.isSound && report.problems.isEmpty, "\(report)")
    #expect(report.objectCount == 1 && report.linkCount == 2)
    #expect(report.collectionCount == 2 && report.elementCount == 2)
    let frozen = realm.freeze()
    try await realm.write { realm.deleteAll() }
    let (after, before) = (try await realm.check(), try await frozen.check())
    #expect(after.objectCount == 0 && after.isSound)
    #expect(before.objectCount == 1 && before.linkCount == 2 && before.isSound)
    #expect(before.freePageCount == nil && after.freePageCount != nil)
    try Realm.close(configuration)
    do {
      let late = try await realm.check()
      Issue.record("A closed store was checked: \(late)")
    } catch let error as Realm.Error {
      #expect(error.code == .closed)
    }
    store.remove()
  }

  private func addNode(_ realm: Realm) throws {
    try realm.write {
      let node = Node(value: ["key": "a", "name": "x", "texts": ["t"]])
      node.next = node
      node.nodes.append(node)
      realm.add(node)
    }
  }

  @Test func uncommittedChangesAreNotChecked() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        realm.add(Leaf(value: ["id": 1]))
        let report = try realm.check()
        #expect(report.objectCount == 0)
      }
      let report = try realm.check()
      #expect(report.objectCount == 1)
    }
  }

  @Test func missingIndexEntryIsReported() throws {
    let store = try TemporaryRealm()
    let realm = try store.open()
    try addNode(realm)
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    var cursor = transaction.cursor(.indexes)
    let hasEntry = cursor.seekFirst()
    #expect(hasEntry)
    let key = Array(cursor.key)
    _ = try key.withUnsafeBytes { try transaction.delete(.indexes, key: $0) }
    _ = try transaction.commit()
    let report = try realm.check()
    #expect(report.problemCount == 1 && report.problems.first?.kind == .index, "\(report)")
    #expect(report.description.split(separator: "\n").count == 3)
    try Realm.close(store.configuration)
    store.remove()
  }

  @Test func damagedPageIsReported() throws {
    let store = try TemporaryRealm()
    let configuration = store.configuration
    var realm = try store.open()
    try realm.write {
      for number in 0..<2_000 { realm.add(Leaf(value: ["id": number])) }
    }
    try Realm.close(configuration)
    try damageRows(of: configuration)
    realm = try Realm(configuration: configuration)
    let report = try realm.check()
    #expect(!report.isSound && report.problems.contains { $0.kind == .page }, "\(report)")
    // The check has met the damage itself.
    let second = try realm.check()
    #expect(second.problems == report.problems)
    try Realm.close(configuration)
    store.remove()
  }

  /// Damages the last page that contains rows.
  private func damageRows(of configuration: Realm.Configuration) throws {
    let url = try #require(configuration.fileURL)
    var bytes = try Data(contentsOf: url)
    let page = try #require((2..<bytes.count / 4096).last { bytes[$0 * 4096 + 10] == 2 })
    bytes[page * 4096 + 10] = 0xFF
    try bytes.write(to: url)
  }

  @Test func progressGrowsToItsTotal() async throws {
    let store = try TemporaryRealm()
    let realm = try await Realm(configuration: store.configuration)
    try await realm.write {
      for number in 0..<5_000 { realm.add(Leaf(value: ["id": number])) }
    }
    let seen = Lock<[Realm.CheckProgress]>([])
    let report = try await realm.check { progress in seen.withLock { $0.append(progress) } }
    #expect(report.isSound && report.objectCount == 5_000)
    let steps = seen.withLock { $0 }
    #expect(steps.count > 10 && Set(steps.map(\.totalUnits)).count == 1)
    #expect(steps.first?.completedUnits == 0)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.completedUnits <= $1.completedUnits })
    #expect(steps.filter { $0.fractionCompleted == 1 }.count == 1)
    #expect(steps.last?.fractionCompleted == 1)
    store.end()
  }

  @Test func progressOfDamagedStoreNeverDecreases() throws {
    let store = try TemporaryRealm()
    let realm = try store.open()
    try addNode(realm)
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    var cursor = transaction.cursor(.backlinks)
    let hasEntry = cursor.seekFirst()
    #expect(hasEntry)
    let key = Array(cursor.key)
    _ = try key.withUnsafeBytes { try transaction.delete(.backlinks, key: $0) }
    _ = try transaction.commit()
    let seen = Lock<[Int]>([])
    let report = try realm.check { progress in
      seen.withLock { $0.append(progress.completedUnits) }
    }
    #expect(report.problems.map(\.kind) == [.link])
    let steps = seen.withLock { $0 }
    #expect(steps == steps.sorted())
    try Realm.close(store.configuration)
    store.remove()
  }

  @Test func errorOfProgressStopsCheck() throws {
    struct Enough: Error {}
    try withTemporaryRealm { realm, _ in
      #expect(throws: Enough.self) {
        _ = try realm.check { progress in
          if progress.completedUnits > 0 { throw Enough() }
        }
      }
      let report = try realm.check()
      #expect(report.isSound)
    }
  }

  @Test func cancelledTaskStopsCheck() async throws {
    let store = try TemporaryRealm()
    let realm = try await Realm(configuration: store.configuration)
    try await realm.write {
      for number in 0..<2_000 { realm.add(Leaf(value: ["id": number])) }
    }
    let frozen = realm.freeze()
    let task = Task {
      try await frozen.check { progress in
        if progress.completedUnits > 0 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    task.cancel()
    do {
      let report = try await task.value
      Issue.record("The check was not cancelled: \(report)")
    } catch {
      #expect(error is CancellationError)
    }
    store.end()
  }

  @Test func openingChecksFileWhenConfigurationAsks() throws {
    let store = try TemporaryRealm()
    var configuration = store.configuration
    let realm = try store.open()
    try realm.write {
      for number in 0..<2_000 { realm.add(Leaf(value: ["id": number])) }
    }
    try Realm.close(configuration)
    configuration.checksOnOpening = true
    let sound = try Realm(configuration: configuration)
    #expect(sound.objects(Leaf.self).count == 2_000)
    try Realm.close(configuration)
    try damageRows(of: configuration)
    let error = thrownError { try Realm(configuration: configuration) }
    #expect(error?.code == .corrupted)
    #expect(
      error?.details.first?.hasPrefix("page ") == true,
      "\(String(describing: error))")
    // The file is closed, and can be opened without the check.
    configuration.checksOnOpening = false
    let damaged = try Realm(configuration: configuration)
    #expect(damaged.objects(Leaf.self).count > 0)
    try Realm.close(configuration)
    store.remove()
  }
}
