import Foundation
import Testing
import Varve

@Suite struct FailedWriteTests {
  @Test func loopsEndAfterAFailedOperation() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: 0..<5)
      try realm.write {
        realm.add(crate)
        crate.words.append(objectsIn: ["a", "b", "c"])
        crate.items.append(objectsIn: [Item("x"), Item("y")])
      }
      var hasEnded = false
      let error = thrownError {
        try realm.write {
          crate.numbers.remove(at: 99)
          while !crate.words.isEmpty { crate.words.removeLast() }
          while crate.numbers.count < 10 { crate.numbers.append(1) }
          while crate.items.count < 10 { crate.items.append(Item("item \(crate.items.count)")) }
          while crate.notes.count < 5 { crate.notes["\(crate.notes.count)"] = "note" }
          while let item = realm.objects(Item.self).first { realm.delete(item) }
          #expect(crate.items.isEmpty)
          while realm.objects(Stamp.self).count < 3 {
            crate.numbers.append(0)
            if crate.numbers.count > 20 { break }
          }
          hasEnded = true
        }
      }
      #expect(hasEnded)
      #expect(error?.code == .indexOutOfBounds)
      #expect(error?.className == "Crate")
      #expect(error?.propertyName == "numbers")
      #expect(error?.value?.contains("99") == true)
      #expect(Array(crate.numbers) == [0, 1, 2, 3, 4])
      #expect(Array(crate.words) == ["a", "b", "c"])
      #expect(crate.items.map(\.name) == ["x", "y"])
      #expect(crate.notes.isEmpty)
    }
  }

  @Test func firstErrorIsThrown() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      let error = thrownError {
        try realm.write {
          crate.notes["a.b"] = "c"
          crate.numbers.remove(at: 0)
          realm.create(Crate.self, value: ["id": 1])
        }
      }
      #expect(error?.code == .invalidKey)
    }
  }

  /// An error thrown by the closure has precedence over the recorded error.
  @Test func closureErrorIsThrownUnchanged() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      expectCancelled {
        try realm.write {
          crate.numbers.remove(at: 0)
          throw Cancelled()
        }
      }
    }
  }

  @Test func objectsAddedInFailedWriteStayUnmanaged() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write { realm.add(crate) }
      let added = Crate(2)
      var created: Crate?
      let code = errorCode {
        try realm.write {
          crate.numbers.remove(at: 0)
          realm.add(added)
          let other = realm.create(Crate.self, value: ["id": 3, "label": "three"])
          #expect(other.realm == nil)
          #expect(other.label == "three")
          other.label = "changed"
          other.numbers.append(1)
          created = other
        }
      }
      #expect(code == .indexOutOfBounds)
      #expect(added.realm == nil)
      #expect(added.isInvalidated == false)
      #expect(created?.realm == nil)
      #expect(created?.label == "changed")
      #expect(realm.objects(Crate.self).count == 1)
      // The next write can add the unmanaged objects.
      try realm.write { realm.add(added) }
      #expect(added.realm != nil)
    }
  }

  @Test func objectStaysUnmanagedWhenAddFails() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(Crate(1)) }
      let twin = Crate(1, numbers: [1])
      expectError(.duplicatePrimaryKey) { try realm.write { realm.add(twin) } }
      #expect(twin.realm == nil)
      #expect(Array(twin.numbers) == [1])
      twin.id = 2
      try realm.write { realm.add(twin) }
      #expect(realm.objects(Crate.self).count == 2)
    }
  }

  @Test func checkWriteThrowsFirstErrorEarly() throws {
    try withTemporaryRealm { realm, store in
      let outside = errorCode { try realm.checkWrite() }
      #expect(outside == .notInWriteTransaction)
      let code = errorCode {
        try realm.write {
          for id in [1, 2, 2, 3] {
            #expect(id != 3, "The import has failed already.")
            realm.create(Crate.self, value: ["id": id])
            try realm.checkWrite()
            let inner = try store.open()
            try inner.checkWrite()
          }
        }
      }
      #expect(code == .duplicatePrimaryKey)
      #expect(realm.objects(Crate.self).isEmpty)
    }
  }

  @Test func readingDeletedObjectFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      let deleted = Crate(1)
      let crate = Crate(2)
      try realm.write {
        realm.add(deleted)
        realm.add(crate)
        deleted.weight = 5
        crate.weight = 7
      }
      try realm.write { realm.delete(deleted) }
      let error = thrownError { try realm.write { crate.weight += deleted.weight } }
      #expect(error?.code == .invalidatedObject)
      #expect(error?.className == "Crate")
      #expect(crate.weight == 7)
      for read in reads(of: deleted) {
        expectError(.invalidatedObject) { try realm.write { read() } }
      }
      // Reading the state of the object is not a misuse.
      try realm.write {
        #expect(deleted.isInvalidated)
        #expect(deleted.numbers.isInvalidated)
        #expect(deleted.description.contains("invalidated"))
      }
    }
  }

  private func reads(of crate: Crate) -> [() -> Void] {
    [
      { _ = crate.label }, { _ = crate.weight }, { _ = crate.best }, { _ = crate.numbers.count },
      { _ = crate.numbers[0] }, { _ = crate.numbers.first }, { _ = Array(crate.words) },
      { _ = crate.items.last }, { _ = crate.notes["a"] }, { _ = crate.notes.keys },
      { _ = crate.places.count },
    ]
  }

  @Test func readingObjectDeletedInSameWriteFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: [1, 2])
      try realm.write { realm.add(crate) }
      let numbers = crate.numbers
      for use in [
        { _ = crate.label }, { crate.label = "x" }, { _ = numbers.count }, { numbers.append(3) },
        { numbers.removeLast() }, { crate.notes["a"] = "b" }, { realm.delete(crate) },
      ] {
        let code = errorCode {
          try realm.write {
            numbers.append(9)
            realm.delete(crate)
            use()
          }
        }
        #expect(code == .invalidatedObject)
        #expect(Array(numbers) == [1, 2])
      }
      try realm.write {
        numbers.append(9)
        realm.delete(crate)
      }
      #expect(crate.isInvalidated)
    }
  }

  @Test func outOfBoundsReadFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: [1])
      try realm.write {
        realm.add(crate)
        crate.items.append(Item("a"))
      }
      let read = errorCode {
        try realm.write {
          let number = crate.numbers[1]
          #expect(number == 0)
        }
      }
      #expect(read == .indexOutOfBounds)
      expectError(.indexOutOfBounds) { try realm.write { _ = crate.words[-1] } }
      let linked = errorCode {
        try realm.write {
          let item = crate.items[1]
          #expect(item.isInvalidated)
        }
      }
      #expect(linked == .indexOutOfBounds)
    }
  }

  @Test func writeAfterFailedWriteSucceeds() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1, numbers: 0..<100)
      try realm.write { realm.add(crate) }
      for round in 0..<20 {
        expectError(.indexOutOfBounds) {
          try realm.write {
            crate.numbers.insert(-1, at: round)
            realm.add(Item("lost \(round)"))
            crate.numbers.remove(at: 1000)
          }
        }
        try realm.write {
          crate.numbers.append(100 + round)
          realm.add(Item("kept \(round)"))
        }
      }
      #expect(Array(crate.numbers) == Array(0..<120))
      #expect(realm.objects(Item.self).count == 20)
    }
  }
}
