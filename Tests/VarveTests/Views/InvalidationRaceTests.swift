import Foundation
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveStorage
import VarveTestSupport

/// Realms that one thread invalidates while other threads have open writes on them.
@Suite struct InvalidationRaceTests {
  @Test func manualWriteOutlivesInvalidationOnAnotherThread() throws {
    try withTemporaryRealm { _, store in
      // Opened on another thread, so the writing thread has no live realm of its own.
      let holder = Lock<Realm?>(nil)
      onAnotherThread {
        let realm = try store.open()
        holder.withLock { $0 = realm }
      }
      let realm = try #require(holder.withLock { $0 })
      for id in 0..<3 {
        try realm.beginWrite()
        onAnotherThread { for _ in 0...id { realm.invalidate() } }
        #expect(realm.isInWriteTransaction)
        realm.create(Sheep.self, value: ["id": id])
        onAnotherThread { for _ in 0...id { realm.invalidate() } }
        try realm.commitWrite()
        #expect(realm.objects(Sheep.self).count == id + 1)
      }
    }
  }

  @Test func handlesOfInvalidatedRealmsPinOneVersion() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.add(Sheep(1)) }
      var held: [Sheep] = []
      for age in 1...50 {
        held += realm.objects(Sheep.self)
        realm.invalidate()
        try realm.write { realm.objects(Sheep.self).first?.age = age }
      }
      #expect(held.count == 50 && held.allSatisfy { $0.isInvalidated })
      let environment = try store.configuration.store().environment
      // One version of the live realm, and one shared by all invalidated realms.
      #expect(environment.liveSnapshotCount <= 3)
      #expect(realm.objects(Sheep.self).first?.age == 50)
    }
  }

  @Test func invalidationRacesWithWrites() throws {
    let writes = isSoak ? 20_000 : 300
    try withTemporaryRealm { realm, store in
      let done = Progress()
      onThreads(5) { number in
        switch number {
        case 0, 1:
          defer { done.add() }
          for write in 0..<writes {
            try realm.beginWrite()
            realm.create(Sheep.self, value: ["id": number * writes + write])
            if write % 5 == 0 {
              realm.cancelWrite()
            } else {
              try realm.commitWrite()
            }
          }
        case 2, 3: while done.count < 2 { realm.invalidate() }
        default:
          while done.count < 2 {
            try realm.refresh()
            _ = realm.objects(Sheep.self).first?.age
          }
        }
      }
      try realm.refresh()
      #expect(realm.objects(Sheep.self).count == 2 * (writes - writes / 5))
    }
  }
}
