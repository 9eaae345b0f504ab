import Foundation
import Testing
import Varve

/// In a write that its input has doomed, `create` gives unmanaged objects: what an unmanaged object
/// cannot do must not end the process then.
@Suite struct UnmanagedUseTests {
  @Test func whatAFailedCreateGaveIsUsedOn() throws {
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

  @Test func itDoomsTheWrite() throws {
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
