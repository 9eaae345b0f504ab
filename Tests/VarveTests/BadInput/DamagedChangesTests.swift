import Foundation
import Testing
import Varve
import VarveStorage

/// Unreadable data reads as missing, so changes computed from it must not be delivered.
@Suite struct DamagedChangesTests {
  /// Overwrites every page that contains `marker` while the store is open.
  private func damage(_ store: TemporaryRealm, _ marker: String) throws {
    let pageSize = 4096
    let bytes = try Data(contentsOf: URL(filePath: store.path))
    let file = try FileHandle(forUpdating: URL(filePath: store.path))
    defer { try? file.close() }
    var from = bytes.startIndex
    var count = 0
    while let match = bytes.range(of: Data(marker.utf8), in: from..<bytes.endIndex) {
      try file.seek(toOffset: UInt64(match.lowerBound / pageSize * pageSize))
      try file.write(contentsOf: Data(count: pageSize))
      from = match.upperBound
      count += 1
    }
    #expect(count > 0)
  }

  /// Changes a gadget; its maker does not change and becomes unreadable afterwards.
  private func withDamagedMaker(
    _ body: (Realm, Realm.Changes) throws -> Void
  ) throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let maker = Release2.Maker(value: ["name": "the maker that is damaged"])
    try realm.write {
      realm.add(maker)
      for id in 0..<3 { realm.create(Release2.Gadget.self, value: ["id": id, "maker": maker]) }
    }
    let old = realm.freeze()
    try realm.write { realm.objects(Release2.Gadget.self)[1].size = 7 }
    let changes = try realm.changes(since: old)
    try damage(store, "the maker that is damaged")
    try body(realm, changes)
    try Realm.close(store.configuration)
  }

  @Test func changesOfResultsOverDamagedObjectThrow() throws {
    try withDamagedMaker { realm, changes in
      let made = realm.objects(Release2.Gadget.self).where { $0.maker.name.starts(with: "the") }
      expectError(.corrupted) { try changes.changes(of: made) }
    }
  }

  @Test func objectsOnDamagedPageAreNotReportedDeleted() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write {
      for id in 0..<500 {
        realm.create(Crate.self, value: ["id": id, "label": "crate number \(id)."])
      }
    }
    let old = realm.freeze()
    try realm.write {
      realm.object(ofType: Crate.self, forPrimaryKey: 250)?.label = "another crate"
    }
    let changes = try realm.changes(since: old)
    try damage(store, "another crate")
    expectError(.corrupted) { try changes.objects(Crate.self) }
    expectError(.corrupted) { try changes.classNames }
    expectError(.corrupted) { try changes.changes(of: realm.objects(Crate.self)) }
    try Realm.close(store.configuration)
  }
}
