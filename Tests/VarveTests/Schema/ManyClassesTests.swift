import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

private protocol Tag: Sendable {}
private enum T0: Tag {}
private enum T1: Tag {}
private enum T2: Tag {}
private enum T3: Tag {}
private enum T4: Tag {}
private enum T5: Tag {}
private enum T6: Tag {}
private enum T7: Tag {}
private enum T8: Tag {}
private enum T9: Tag {}
private enum T10: Tag {}
private enum T11: Tag {}
private enum T12: Tag {}
private enum T13: Tag {}
private enum T14: Tag {}

/// A class for each pair of tags.
@Model private final class Tagged<Row: Tag, Column: Tag>: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name = "tagged"
}

@Suite struct ManyClassesTests {
  private static let tags: [any Tag.Type] = [
    T0.self, T1.self, T2.self, T3.self, T4.self, T5.self, T6.self, T7.self, T8.self, T9.self,
    T10.self, T11.self, T12.self, T13.self, T14.self,
  ]

  private static let classes: [Object.Type] = tags.flatMap { row in
    tags.map { column in tagged(row, column) }
  }

  private static func tagged<Row: Tag, Column: Tag>(
    _ row: Row.Type, _ column: Column.Type
  ) -> Object.Type {
    Tagged<Row, Column>.self
  }

  @Test func twoHundredClassesOpenWithOneLookup() throws {
    let store = try TemporaryRealm { $0.objectTypes = Self.classes }
    defer { store.end() }
    let realm = try store.open()
    #expect(try store.report().classCount == 225)
    try realm.write {
      for (id, type) in Self.classes.enumerated() { realm.create(type, value: ["id": id]) }
    }
    let report = try store.report()
    #expect(report.isSound && report.objectCount == 225 && report.indexEntryCount == 225)
    let version = realm.version.number
    // A single entry records that these models match the file.
    let models = try store.count(.catalog) - 225
    #expect(models == 1)
    for _ in 0..<3 {
      try store.close()
      let again = try store.open()
      #expect(again.version.number == version)
      #expect(again.objects(Tagged<T3, T4>.self).map(\.id) == [3 * 15 + 4])
    }
  }

  @Test func firstWriteRegistersManyClasses() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        for (id, type) in Self.classes.enumerated() { realm.create(type, value: ["id": id]) }
      }
      #expect(realm.objects(Tagged<T14, T14>.self).first?.id == 224)
      #expect(try store.report().classCount == 225)
    }
  }

  /// LMDB cannot open tables in the nested transaction of a group member, so they are created
  /// before it begins.
  @Test func laterGroupMemberRegistersFortyClasses() async throws {
    // The classes are loaded in this process.
    for type in Self.classes { #expect(type.init().isInvalidated == false) }
    try await withPatientStore { realm, store in
      let create: @Sendable (Range<Int>) -> Void = { ids in
        for id in ids { realm.create(Self.classes[id], value: ["id": id]) }
      }
      let results = try await grouped(
        realm, store,
        [
          { create(0..<1) }, { create(1..<41) },
          {
            create(41..<81); throw Cancelled()
          },
          { create(81..<121) },
        ])
      try results[0].get()
      try results[1].get()
      expectCancelled { try results[2].get() }
      try results[3].get()
      let report = try store.report()
      #expect(report.isSound && report.classCount == 81 && report.objectCount == 81)
      #expect(realm.objects(Tagged<T0, T7>.self).map(\.id) == [7])
      #expect(realm.objects(Tagged<T3, T5>.self).isEmpty)
      #expect(realm.objects(Tagged<T7, T0>.self).map(\.id) == [7 * 15])
    }
  }

  @Test func asyncWriteRegistersManyClasses() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    try await realm.asyncWrite {
      for (id, type) in Self.classes.prefix(40).enumerated() {
        try Realm(configuration: store.configuration).create(type, value: ["id": id])
      }
    }
    #expect(try store.report().classCount == 40)
  }
}
