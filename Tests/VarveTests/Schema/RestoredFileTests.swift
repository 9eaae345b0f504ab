import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

@Suite struct RestoredFileTests {
  @Test func versionsOfDifferentHistoriesDiffer() throws {
    let store = try TemporaryRealm { $0.durability = .full }
    defer { store.end() }
    let files = FileManager.default
    let backup = store.directory.appending(path: "backup")
    func write(_ id: Int) throws -> Realm.Version {
      let realm = try store.open()
      try realm.write { realm.create(Release1.Gadget.self, value: ["id": id]) }
      defer { try? store.close() }
      return realm.version
    }
    let first = try write(1)
    try files.copyItem(atPath: store.path, toPath: backup.path)
    let second = try write(2)
    try files.removeItem(atPath: store.path)
    try files.copyItem(atPath: backup.path, toPath: store.path)
    let restored = try store.open().version
    try store.close()
    let third = try write(3)
    #expect(restored != first && third != second && third != first)
    #expect(try store.open().objects(Release1.Gadget.self).map(\.id) == [1, 3])
  }

  @Test func deletedSignalFileStartsNewHistory() throws {
    let store = try TemporaryRealm { $0.durability = .full }
    defer { store.end() }
    func write(_ id: Int) throws -> RootRecord {
      let realm = try store.open()
      try realm.write { realm.create(Release1.Gadget.self, value: ["id": id]) }
      defer { try? store.close() }
      return try store.configuration.store().newestSnapshot().root
    }
    _ = try write(1)
    let before = try write(2)
    for suffix in ["-signal", "-lock"] {
      try FileManager.default.removeItem(atPath: store.path + suffix)
    }
    let after = try write(3)
    #expect(after.incarnation != before.incarnation && after.counter > before.counter)
    let next = try write(4)
    #expect(next.incarnation == after.incarnation)
    #expect(try store.open().objects(Release1.Gadget.self).map(\.id) == [1, 2, 3, 4])
  }
}
