import Testing
import Varve

/// A model with types other than the file's: a write that uses it throws and is rolled back,
/// whichever operation uses the class.
@Suite struct MismatchWritingTests {
  enum Operation: CaseIterable {
    case create, update, add, addLinked, addInList, addInMap, getOrSet, delete, deleteAll
    case setLink, appendLink, setEntry, clearLink, clearList, setOther, createOther, readLink
  }

  private func use(_ operation: Operation, _ realm: Realm) {
    var shelf: MismatchShop.Shelf? {
      realm.object(ofType: MismatchShop.Shelf.self, forPrimaryKey: 1)
    }
    let gadget = Mismatch.Gadget(value: ["id": 2, "name": "x"])
    switch operation {
    case .create: realm.create(Mismatch.Gadget.self, value: ["name": "x"])
    case .update: realm.create(Mismatch.Gadget.self, value: ["name": "G"], update: .modified)
    case .add: realm.add(gadget)
    case .addLinked: realm.add(MismatchShop.Shelf(value: ["number": 2, "best": gadget]))
    case .addInList: realm.add(MismatchShop.Shelf(value: ["number": 2, "gadgets": [gadget]]))
    case .addInMap: realm.add(MismatchShop.Shelf(value: ["number": 2, "byName": ["x": gadget]]))
    case .getOrSet: realm.add(MismatchShop.Shelf(value: ["number": 1]), update: .all)
    case .delete: realm.delete(realm.objects(Mismatch.Gadget.self))
    case .deleteAll: realm.delete(realm.objects(MismatchShop.Shelf.self))
    case .setLink: shelf?.best = gadget
    case .appendLink: shelf?.gadgets.append(gadget)
    case .setEntry: shelf?.byName["x"] = gadget
    case .clearLink: shelf?.best = nil
    case .clearList: shelf?.gadgets.removeAll()
    case .setOther: shelf?.label = "changed"
    case .createOther: realm.create(MismatchShop.Shelf.self, value: ["number": 3])
    case .readLink: _ = shelf?.best
    }
  }

  private func expectUntouched(_ realm: Realm, _ operation: Operation) {
    #expect(realm.objects(Release2.Gadget.self).map(\.name) == ["G"], "\(operation)")
    let shelves = realm.objects(ShelfShop.Shelf.self)
    #expect(shelves.map(\.number) == [1] && shelves.first?.label == "s", "\(operation)")
    #expect(shelves.first?.best?.size == 7 && shelves.first?.gadgets.count == 1, "\(operation)")
    #expect(shelves.first?.byName["G"]??.id == 1, "\(operation)")
  }

  @Test(arguments: Operation.allCases)
  func everyOperationThrowsAndRollsBack(operation: Operation) throws {
    try withStoredShelf { realm, store in
      let version = realm.version
      let error = thrownError {
        try realm.write {
          realm.create(Release2.Maker.self, value: ["name": "lost"])
          use(operation, realm)
        }
      }
      #expect(error?.code == .schemaMismatch)
      #expect(error?.details.contains { $0.contains("'Gadget.size'") } == true)
      #expect(realm.version == version)
      expectUntouched(realm, operation)
      #expect(realm.objects(Release2.Maker.self).map(\.name) == ["ACME"])
      // The store remains usable.
      try realm.write { realm.create(Release2.Maker.self, value: ["name": "next"]) }
      try store.check()
    }
  }

  @Test(arguments: Operation.allCases)
  func manualWriteThrowsOnCommit(operation: Operation) throws {
    try withStoredShelf { realm, _ in
      try realm.beginWrite()
      use(operation, realm)
      expectError(.schemaMismatch) { try realm.commitWrite() }
      expectUntouched(realm, operation)
    }
  }

  @Test func mismatchedGroupMemberIsRolledBackAlone() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.create(Release2.Gadget.self, value: ["id": 1, "name": "G"]) }
      let results = try await grouped(
        realm, store,
        [
          { realm.create(Release2.Maker.self, value: ["name": "a"]) },
          {
            realm.create(Release2.Maker.self, value: ["name": "lost"])
            realm.create(Mismatch.Gadget.self, value: ["name": "x"])
          },
          { realm.create(Release2.Maker.self, value: ["name": "b"]) },
        ])
      try results[0].get()
      let code = errorCode { try results[1].get() }
      #expect(code == .schemaMismatch)
      try results[2].get()
      #expect(Set(realm.objects(Release2.Maker.self).map(\.name)) == ["a", "b"])
      #expect(realm.objects(Release2.Gadget.self).map(\.id) == [1])
    }
  }
}
