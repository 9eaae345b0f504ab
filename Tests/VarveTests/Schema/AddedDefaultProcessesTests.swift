import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

/// A child process runs the older release of the program, this process the newer one.
@Suite struct AddedDefaultProcessesTests {
  private func add(_ older: TestProcess) {
    older.go()
    #expect(older.line() == "added")
  }

  private func end(_ older: TestProcess) {
    older.send("end")
    older.wait()
  }

  private func expectConstants(_ items: Results<ConstantDefaults.Voucher>, _ count: Int) {
    #expect(items.count == count)
    for item in items {
      #expect(item.minutes == 300 && item.limit == 42 && item.price == 2.5 && item.mode == .on)
      #expect(item.any == .int(4) && item.data == Data([1]) && item.flag && item.label == "ab")
      #expect(item.heat.degrees == 21 && item.maybe == Data([2]) && item.text == "cd")
    }
    #expect(items.where { $0.minutes == 300 && $0.mode == .on }.count == count)
  }

  @Test(arguments: [true, false])
  func olderProcessStoresConstants(olderIsFirst: Bool) throws {
    let store = try TemporaryRealm { $0.objectTypes = [ConstantDefaults.Voucher.self] }
    defer { store.end() }
    if !olderIsFirst {
      _ = try store.open()
      try store.close()
    }
    let older = TestProcess(["defaultsOlder", store.path])
    #expect(older.line() == "ready")
    add(older)
    let realm = try store.open()
    let items = realm.objects(ConstantDefaults.Voucher.self)
    expectConstants(items, 3)
    add(older)
    try realm.refresh()
    expectConstants(items, 6)
    try realm.write { for item in items { item.limit += 0 } }
    add(older)
    end(older)
    try store.close()
    expectConstants(try store.open().objects(ConstantDefaults.Voucher.self), 9)
    try store.check()
  }

  @Test(arguments: [true, false])
  func newerProcessMakesDefaultOfEachObjectOnce(olderIsFirst: Bool) throws {
    let store = try TemporaryRealm { $0.objectTypes = [ObjectDefaults.Voucher.self] }
    defer { store.end() }
    if !olderIsFirst {
      _ = try store.open()
      try store.close()
    }
    let older = TestProcess(["defaultsOlder", store.path])
    #expect(older.line() == "ready")
    add(older)
    let realm = try store.open()
    let items = realm.objects(ObjectDefaults.Voucher.self)
    let made = items.map(\.made)
    #expect(made.count == 3 && Set(made.flatMap(\.self)).count == 39)
    add(older)
    try realm.refresh()
    let more = items.map(\.made)
    #expect(Array(more.prefix(3)) == made && Set(more.flatMap(\.self)).count == 78)
    let frozen = realm.freeze().objects(ObjectDefaults.Voucher.self)
    try store.configuration.store().storeMissingDefaults()
    add(older)
    end(older)
    try realm.refresh()
    try store.configuration.store().storeMissingDefaults()
    try realm.refresh()
    #expect(items.count == 9 && Array(items.map(\.made).prefix(6)) == more)
    #expect(frozen.map(\.made) == more)
    for item in items {
      #expect(items.where { $0.token == item.token }.map(\.id) == [item.id])
      #expect(items.where { $0.number == item.number }.map(\.id) == [item.id])
    }
    let all = items.map(\.made)
    try store.close()
    #expect(try store.open().objects(ObjectDefaults.Voucher.self).map(\.made) == all)
    try store.check()
  }

  @Test func newSchemaVersionLocksOlderProcessOut() throws {
    try withMigratedFile { store in
      let older = TestProcess(["defaultsOlder", store.path])
      #expect(older.line() == "ready")
      add(older)
      expectError(.schemaMismatch) {
        try store.open(ContentDefaults.Voucher.self, ContentDefaults.Place.self, version: 0)
      }
      let items = try store.open(
        ContentDefaults.Voucher.self, ContentDefaults.Place.self, version: 1
      )
      .objects(ContentDefaults.Voucher.self)
      #expect(items.count == 3 && items.allSatisfy { Array($0.tags) == ["new", "unread"] })
      older.go()
      #expect(older.line() == "failed schemaVersionTooLow")
      end(older)
      let late = TestProcess(["defaultsOlder", store.path])
      #expect(late.line() == "refused schemaVersionTooLow")
      late.wait()
      #expect(items.count == 3)
    }
  }
}
