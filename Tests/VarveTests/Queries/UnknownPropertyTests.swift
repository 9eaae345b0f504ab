import Foundation
import Testing
import Varve

/// Queries with a model that declares more properties than the file: they evaluate the same values
/// as reads of the properties.
@Suite struct UnknownPropertyTests {
  /// A file with five gadgets of the first release, read with the second release without
  /// registering it.
  private func withOldGadgets(
    readOnly: Bool = false, _ body: (Realm) throws -> Void
  ) throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        for id in 0..<5 {
          realm.create(Release1.Gadget.self, value: ["id": id, "name": "G\(id)", "size": 4 - id])
        }
      }
      try store.close()
      var configuration = store.configuration
      configuration.readOnly = readOnly
      try body(try Realm(configuration: configuration))
      if readOnly { try Realm.close(configuration) }
      _ = try store.open()
    }
  }

  /// The expectations that are true whether or not the file has the properties.
  private func checkDefaults(_ all: Results<Release2.Gadget>) {
    let ids = [0, 1, 2, 3, 4]
    func check(
      _ condition: (Query<Release2.Gadget>) -> Query<Bool>, _ closure: (Release2.Gadget) -> Bool,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let expected = all.filter(closure).map(\.id)
      #expect(all.where(condition).map(\.id) == expected, sourceLocation: sourceLocation)
      #expect(all.where(condition).first?.id == expected.first, sourceLocation: sourceLocation)
    }
    check({ $0.color == "grey" }, { $0.color == "grey" })
    check({ $0.color != "grey" }, { $0.color != "grey" })
    check({ $0.color.starts(with: "gr") && $0.size > 2 }, { $0.size > 2 })
    check({ $0.rating == nil }, { $0.rating == nil })
    check({ $0.rating > 1 }, { _ in false })
    check({ $0.kind == .tool }, { $0.kind == .tool })
    check({ $0.kind.in([.toy]) }, { $0.kind == .toy })
    check({ $0.isNew }, { $0.isNew })
    check({ !$0.isNew || $0.id == 3 }, { !$0.isNew || $0.id == 3 })
    check({ $0.photo == Data() }, { $0.photo == Data() })
    let epoch = Date(timeIntervalSince1970: 0)
    check({ $0.made <= epoch }, { $0.made <= epoch })
    check({ $0.maker == nil }, { $0.maker == nil })
    check({ !($0.maker.name >= "") }, { $0.maker == nil })
    check({ $0.maker.name == "ACME" }, { $0.maker?.name == "ACME" })
    check({ $0.color == $0.name }, { $0.color == $0.name })
    #expect(all.where { $0.color == "grey" }.count == 5)
    #expect(all.sorted(by: \.color).map(\.id) == ids)
    #expect(all.sorted(by: \.color, ascending: false).map(\.id) == ids)
    #expect(all.sorted(by: ["isNew", "made", "size"]).map(\.id) == ids.reversed())
    #expect(all.sorted(by: \.maker?.name).map(\.id) == ids)
    #expect(all.where { $0.size > 1 }.sorted(byKeyPath: "rating").map(\.id) == [0, 1, 2])
    #expect(all.max(of: \.made) == epoch)
    #expect(all.min(of: \.rating) == nil && all.sum(of: \.rating) == 0)
    #expect(all.average(of: \.rating) == nil)
  }

  @Test func undeclaredPropertiesAreQueriedByDefault() throws {
    try withOldGadgets { realm in
      let all = realm.objects(Release2.Gadget.self)
      checkDefaults(all)
      checkDefaults(all.freeze())
      try realm.write { checkDefaults(all) }
      let frozen = all.freeze()
      try realm.register(Release2.Gadget.self)
      checkDefaults(all)
      checkDefaults(frozen)
    }
  }

  @Test func readOnlyFileIsQueriedThroughDefaults() throws {
    try withOldGadgets(readOnly: true) { realm in
      checkDefaults(realm.objects(Release2.Gadget.self))
    }
  }

  @Test func aggregatesUseDefaults() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for id in 0..<3 { realm.create(Release1.Gadget.self, value: ["id": id]) }
      }
      let all = realm.objects(Weighed.Gadget.self)
      for _ in 0..<2 {
        #expect(all.sum(of: \.weight) == 4.5 && all.average(of: \.weight) == 1.5)
        #expect(all.min(of: \.weight) == 1.5 && all.max(of: \.weight) == 1.5)
        #expect(all.sum(of: \.parts) == 21 && all.where { $0.parts > 6 }.count == 3)
        #expect(all.sum(of: \.spare?.parts) == 0 && all.max(of: \.spare?.parts) == nil)
        #expect(all.where { !($0.spare.parts > 0) }.count == 3)
        try realm.register(Weighed.Gadget.self)
      }
    }
  }

  @Test func unknownPropertyOfLinkedObjectReadsDefault() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let box = realm.create(Old.Box.self, value: ["id": 1, "next": ["id": 2]])
        box.next?.next = Old.Box(value: ["id": 3])
      }
      let all = realm.objects(New.Box.self)
      for _ in 0..<2 {
        #expect(all.where { $0.next.size == 7 }.map(\.id) == [1, 2])
        #expect(all.where { $0.next.next.size == 7 }.map(\.id) == [1])
        #expect(all.where { !($0.next.size > 0) }.map(\.id) == [3])
        #expect(all.sorted(by: \.next?.size).map(\.id) == [3, 1, 2])
        #expect(all.sum(of: \.next?.size) == 14)
        #expect(all.where { $0.next.lid == nil && !($0.next.lid.size > 0) }.count == 3)
        try realm.register(New.Box.self)
      }
    }
  }
}

private enum Weighed {
  @Model final class Gadget: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var weight = 1.5
    @Persisted var parts = 7
    @Persisted var spare: Gadget?
  }
}

private enum Old {
  @Model final class Box: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var next: Box?
  }
}

private enum New {
  @Model final class Box: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var size = 7
    @Persisted var lid: Box?
    @Persisted var next: Box?
  }
}
