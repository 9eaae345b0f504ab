import Foundation
import Testing
import Varve
import VarveTestSupport

/// A model with types other than the file's, without `objectTypes`: reads cannot throw, and must
/// not return zero-filled objects either.
@Suite struct MismatchReadingTests {
  private func expectEmpty(_ realm: Realm) {
    let gadgets = realm.objects(Mismatch.Gadget.self)
    #expect(gadgets.isEmpty && gadgets.count == 0 && gadgets.first == nil && gadgets.last == nil)
    #expect(Array(gadgets).isEmpty && gadgets.map(\.name).isEmpty)
    #expect(gadgets.where { $0.size == "" }.isEmpty)
    #expect(gadgets.where { $0.size != "x" }.count == 0)
    #expect(gadgets.sorted(by: \.name).first == nil)
    #expect(realm.object(ofType: Mismatch.Gadget.self, forPrimaryKey: "G") == nil)
    #expect(realm.objects(Mismatch.Maker.self).isEmpty)
    #expect(realm.object(ofType: Mismatch.Maker.self, forPrimaryKey: 0) == nil)
  }

  @Test func mismatchedClassReadsAsEmpty() throws {
    try withStoredShelf { realm, _ in
      expectEmpty(realm)
      expectEmpty(realm.freeze())
      try realm.refresh()
      expectEmpty(realm)
      // The matching model remains readable alongside.
      #expect(realm.objects(Release2.Gadget.self).map(\.size) == [7])
      #expect(realm.object(ofType: Release2.Gadget.self, forPrimaryKey: 1)?.maker?.name == "ACME")
    }
  }

  @Test func readOnlyStoreReadsAsEmpty() throws {
    try withStoredShelf { _, store in
      try store.close()
      var configuration = store.configuration
      configuration.readOnly = true
      let realm = try Realm(configuration: configuration)
      expectEmpty(realm)
      try Realm.close(configuration)
    }
  }

  @Test func linksToMismatchedClassReadAsEmpty() throws {
    try withStoredShelf { realm, _ in
      let shelf = try #require(realm.object(ofType: MismatchShop.Shelf.self, forPrimaryKey: 1))
      #expect(shelf.number == 1 && shelf.label == "s")
      #expect(shelf.best == nil)
      #expect(shelf.gadgets.isEmpty && shelf.gadgets.count == 0 && shelf.gadgets.first == nil)
      #expect(shelf.byName.isEmpty && shelf.byName["G"] == nil && shelf.byName.keys.isEmpty)
      #expect(Array(shelf.gadgets).isEmpty && shelf.gadgets.where { $0.size == "" }.isEmpty)
      let frozen = shelf.freeze()
      #expect(frozen.best == nil && frozen.gadgets.isEmpty && frozen.label == "s")
    }
  }

  @Test func mismatchedReadFailsWrite() throws {
    try withStoredShelf { realm, store in
      let reads: [() -> Int] = [
        { realm.objects(Mismatch.Gadget.self).count },
        { realm.objects(Mismatch.Gadget.self).where { $0.size == "" }.count },
        { realm.objects(Mismatch.Gadget.self).map(\.name).count },
        { realm.object(ofType: Mismatch.Gadget.self, forPrimaryKey: "G") == nil ? 0 : 1 },
        { realm.objects(MismatchShop.Shelf.self).first?.gadgets.count ?? 0 },
      ]
      for read in reads {
        let version = realm.version
        var found = -1
        let error = thrownError { try realm.write { found = read() } }
        #expect(found == 0)
        #expect(error?.code == .schemaMismatch)
        #expect(
          error?.details.contains(
            "Property 'Gadget.size' has been changed from 'Int' to 'String'.") == true)
        #expect(realm.version == version)
      }
      #expect(realm.objects(Release2.Gadget.self).count == 1)
    }
  }

  @Test func writeAfterMismatchedReadThrows() throws {
    try withStoredShelf { realm, _ in
      expectEmpty(realm)
      let error = thrownError {
        try realm.write { realm.create(Mismatch.Gadget.self, value: ["name": "x"]) }
      }
      #expect(error?.code == .schemaMismatch)
      #expect(realm.objects(Release2.Gadget.self).count == 1)
    }
  }

  /// The class is absent when this process first reads it; another program then stores it with
  /// other types.
  @Test func classAddedWithOtherTypesReadsAsEmpty() throws {
    try withTemporaryRealm { realm, _ in
      let gadgets = realm.objects(Mismatch.Gadget.self)
      #expect(gadgets.isEmpty)
      try realm.write {
        realm.create(Release2.Gadget.self, value: ["id": 1, "name": "G", "size": 7])
      }
      #expect(gadgets.isEmpty && gadgets.count == 0)
      expectEmpty(realm)
      // One write in which one model stores the class and the other reads it.
      let error = thrownError {
        try realm.write {
          realm.create(ShelfShop.Shelf.self, value: ["number": 2])
          #expect(realm.object(ofType: OtherShop.Shelf.self, forPrimaryKey: 2) == nil)
          #expect(realm.objects(OtherShop.Shelf.self).isEmpty)
        }
      }
      #expect(error?.code == .schemaMismatch)
      #expect(realm.objects(ShelfShop.Shelf.self).isEmpty)
    }
  }

  /// The log reports the class, the property and both types, once per class.
  @Test(.timeLimit(.minutes(2))) func mismatchIsLoggedOncePerClass() throws {
    try withStoredShelf { _, store in
      try store.close()
      let process = TestProcess(["schemaMismatch", store.path])
      var lines: [String] = []
      // The process logs on another thread, and ends after `go()`.
      func isError(_ line: String) -> Bool { line.contains("A class is stored with other types") }
      while !lines.contains("read 0 nil") || !lines.contains(where: isError),
        let line = process.line()
      {
        lines.append(line)
      }
      process.go()
      lines += process.lines()
      process.wait()
      #expect(lines.contains("read 0 nil"))
      let messages = lines.filter(isError)
      #expect(messages.count == 1)
      #expect(messages.first?.contains("error") == true)
      #expect(
        messages.first?.contains("Property 'Gadget.size' has been changed from 'Int' to 'String'.")
          == true)
      #expect(messages.first?.contains("path=\(store.path)") == true)
      _ = try store.open()
    }
  }
}
