import Foundation
import Testing
import Varve
import VarveCore
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
    #expect(after.objectCount == 0 && after.isSound && before == report)
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
    #expect(report.description.split(separator: "\n").count == 2)
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
    // The flags of the last page that contains rows.
    let url = try #require(configuration.fileURL)
    var bytes = try Data(contentsOf: url)
    let pages = bytes.count / 4096
    let page = try #require((2..<pages).last { bytes[$0 * 4096 + 10] == 2 })
    bytes[page * 4096 + 10] = 0xFF
    try bytes.write(to: url)
    realm = try Realm(configuration: configuration)
    let report = try realm.check()
    #expect(!report.isSound && report.problems.contains { $0.kind == .page }, "\(report)")
    try Realm.close(configuration)
    store.remove()
  }
}
