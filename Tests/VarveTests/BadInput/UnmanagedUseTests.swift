import Foundation
import Testing
import Varve

/// In a failed write, `create` returns unmanaged objects: operations that unmanaged objects do not
/// support must not trap then.
@Suite struct UnmanagedUseTests {
  @Test func resultOfFailedCreateCanBeUsed() throws {
    try withTemporaryRealm { realm, _ in
      var hasEnded = false
      let error = thrownError {
        try realm.write {
          let crate = realm.create(Crate.self, value: ["id": "seven"])
          let item = realm.create(Item.self, value: ["name": "a"])
          #expect(crate.realm == nil && item.realm == nil)
          #expect(crate.freeze() === crate && crate.isFrozen == false)
          #expect(crate.items.freeze() === crate.items && crate.notes.freeze() === crate.notes)
          #expect(item.crates.freeze().isEmpty)
          #expect(crate.items.where { $0.count > 0 }.isEmpty)
          #expect(crate.items.sorted(by: \.name).first == nil)
          #expect(crate.places.where { $0.count > 0 }.count == 0)
          #expect(item.crates.where { $0.id > 0 }.map(\.id).isEmpty)
          hasEnded = true
        }
      }
      #expect(hasEnded)
      #expect(error?.code == .typeMismatch && error?.propertyName == "id")
    }
  }

  /// Rejected input can leave the lists and sets of the object shorter than expected.
  @Test func unmanagedIndexOutOfBoundsFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      let (crate, set) = (Crate(1, numbers: [1, 2]), MutableSet<Int>())
      let numbers = crate.numbers
      let uses: [() -> Void] = [
        { #expect(numbers[2] == 0) }, { #expect(numbers[-1] == 0) },
        { #expect(crate.items[0].realm == nil) }, { #expect(set[0] == 0) },
        { numbers[2] = 5 }, { numbers.insert(5, at: 3) }, { numbers.insert(5, at: -1) },
        { numbers.insert(contentsOf: [5], at: 3) }, { numbers.remove(at: 2) },
        { numbers.removeLast(3) }, { numbers.removeLast(-1) }, { numbers.removeSubrange(1..<3) },
        { numbers.replaceSubrange(3..<3, with: [5]) }, { numbers.replace(index: 2, object: 5) },
        { numbers.move(from: 0, to: 2) }, { numbers.move(from: 2, to: 0) },
        { numbers.swapAt(0, 2) }, { numbers.remove(atOffsets: [0, 2]) },
        { numbers.move(fromOffsets: [2], toOffset: 0) },
        { numbers.move(fromOffsets: [0], toOffset: 3) }, { crate.items.remove(at: 0) },
      ]
      for use in uses {
        let error = thrownError {
          try realm.write {
            realm.add(Item("lost"))
            use()
          }
        }
        #expect(error?.code == .indexOutOfBounds && error?.value?.contains("count") == true)
        #expect(error?.className == "Int" || error?.className == "Item")
        #expect(Array(numbers) == [1, 2] && crate.items.isEmpty)
      }
      #expect(realm.isEmpty)
      try realm.write {
        numbers.move(fromOffsets: [0], toOffset: 2)
        numbers.insert(3, at: 2)
        numbers.remove(atOffsets: [0, 1])
      }
      #expect(Array(numbers) == [3])
    }
  }

  @Test func unsupportedUseOfUnmanagedObjectFailsWrite() throws {
    try withTemporaryRealm { realm, _ in
      let crate = Crate(1)
      try realm.write { realm.add(Item("stored")) }
      let uses: [() -> Void] = [
        { _ = crate.freeze() }, { _ = crate.items.freeze() }, { _ = crate.notes.freeze() },
        { _ = Item("a").crates.freeze() },
        { #expect(crate.items.where { $0.count >= 0 }.isEmpty) },
        { #expect(crate.places.sorted(by: \.name).isEmpty) },
        { #expect(Item("a").crates.sorted(by: \.id).isEmpty) },
      ]
      for use in uses {
        let error = thrownError { try realm.write { use() } }
        #expect(error?.code == .unmanaged)
        #expect(error?.className != nil)
      }
    }
  }
}
