import Foundation
import Testing
import Varve

/// Values nested far deeper than the call stack allows, and objects passed as values.
@Suite struct NestedValueTests {
  @Test func deeplyNestedDictionariesCreateObjects() throws {
    try withTemporaryRealm { realm, store in
      onASmallStack {
        // The depth that the value itself can be released with on a stack of this size.
        var value: [String: Any] = ["number": 0]
        for number in 1..<1_000 {
          value =
            switch number % 3 {
            case 0: ["number": number, "next": value]
            case 1: ["number": number, "branches": [value]]
            default: ["number": number, "byName": ["a": value]]
            }
        }
        let link = try realm.write { realm.create(ChainLink.self, value: value) }
        #expect(realm.objects(ChainLink.self).count == 1_000)
        #expect(link.number == 999 && link.next?.byName["a"]??.branches.first?.number == 996)
      }
      try store.check()
    }
  }

  @Test func deeplyNestedErrorIsThrown() throws {
    try withTemporaryRealm { realm, _ in
      onASmallStack {
        var value: [String: Any] = ["number": "none"]
        for number in 1..<1_000 { value = ["number": number, "next": value] }
        let nested = value
        let error = thrownError {
          try realm.write { realm.create(ChainLink.self, value: nested) }
        }
        #expect(error?.code == .typeMismatch && error?.propertyName == "number")
        #expect(realm.isEmpty)
        let early = thrownError { try ChainLink(validating: nested) }
        #expect(early?.code == .typeMismatch)
        // A deep value of the wrong type is described, not printed.
        let wrong = thrownError {
          try realm.write { realm.create(ChainLink.self, value: ["number": nested]) }
        }
        #expect(wrong?.code == .typeMismatch)
        #expect(wrong?.value == "2 elements of type Dictionary<String, Any>")
        // The value of an unknown name is not read at all.
        let read = try? ChainLink(validating: ["nothing": nested])
        #expect(read?.number == 0)
      }
    }
  }

  @Test func nestedObjectKeepsItsError() throws {
    try withTemporaryRealm { realm, _ in
      let link = ChainLink(value: ["next": ["next": ["number": "none"]]])
      let bad = try #require(link.next?.next)
      expectError(.typeMismatch) { try realm.write { realm.add(bad) } }
      expectError(.typeMismatch) { try realm.write { realm.add(link) } }
    }
  }

  // MARK: Objects as values

  @Test func objectOfAnotherClassIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      let stored = Item("stored")
      try realm.write { realm.add(stored) }
      for item in [Item("a"), stored, stored.freeze()] {
        let error = thrownError { try realm.write { realm.create(ChainLink.self, value: item) } }
        #expect(error?.code == .typeMismatch)
        #expect(error?.className == "ChainLink" && error?.value == "object of class Item")
        expectError(.typeMismatch) { try ChainLink(validating: item) }
      }
      // Another class with the same name.
      let error = thrownError { try Release2.Gadget(validating: Release1.Gadget()) }
      #expect(error?.code == .typeMismatch && error?.value?.contains("Release1.Gadget") == true)
      // A derived class has all properties of its superclass.
      let derived = DerivedLink(value: ["number": 3, "extra": 4])
      #expect(try ChainLink(validating: derived).number == 3)
      expectError(.typeMismatch) { try DerivedLink(validating: ChainLink()) }
      #expect(realm.objects(ChainLink.self).isEmpty)
    }
  }

  @Test func objectOfSameClassIsCopied() throws {
    try withTemporaryRealm { realm, _ in
      let first = try realm.write {
        realm.create(ChainLink.self, value: ["number": 1, "branches": [["number": 2]]])
      }
      let copy = try realm.write { realm.create(ChainLink.self, value: first) }
      #expect(copy.number == 1 && copy.branches.map(\.number) == [2])
      #expect(!copy.isSameObject(as: first) && realm.objects(ChainLink.self).count == 3)
    }
  }

  @Test func deletedObjectCannotBeCopied() throws {
    try withTemporaryRealm { realm, _ in
      let link = try realm.write { realm.create(ChainLink.self) }
      try realm.write { realm.delete(link) }
      let error = thrownError { try realm.write { realm.create(ChainLink.self, value: link) } }
      #expect(error?.code == .invalidatedObject && error?.className == "ChainLink")
      expectError(.invalidatedObject) { try ChainLink(validating: link) }
    }
  }
}

@Model class ChainLink: Object {
  @Persisted var number = 0
  @Persisted var next: ChainLink?
  @Persisted var branches: List<ChainLink>
  @Persisted var byName: Map<String, ChainLink?>
}

@Model final class DerivedLink: ChainLink {
  @Persisted var extra = 0
}
