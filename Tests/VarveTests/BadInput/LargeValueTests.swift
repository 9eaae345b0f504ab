import Foundation
import Testing
import Varve

@Suite struct LargeValueTests {
  private static let limit = 1 << 30

  /// Zeroed bytes whose memory is not committed until it is touched.
  private func untouched(_ count: Int) -> Data { Data(count: count) }

  @Test func valueOverOneGibibyteIsRejected() throws {
    try withTemporaryRealm { realm, store in
      let stamp = Stamp(1)
      let kept = Data(repeating: 3, count: 5000)
      stamp.data = kept
      try realm.write { realm.add(stamp) }
      let large = untouched(Self.limit + 1)
      for use in [
        { stamp.data = large },
        {
          let other = Stamp(2)
          other.data = large
          realm.add(other)
        },
        { realm.create(Stamp.self, value: ["number": 2, "data": large]) },
      ] {
        let error = thrownError { try realm.write { use() } }
        #expect(error?.code == .valueTooLarge)
        #expect(error?.className == "Stamp" && error?.propertyName == "data")
        #expect(error?.value == "\(Self.limit + 1) bytes")
        #expect(stamp.data == kept)
      }
      #expect(realm.objects(Stamp.self).count == 1)
      let size = try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int
      #expect((size ?? .max) < 2 << 20)
    }
  }

  @Test func elementOverOneGibibyteIsRejected() throws {
    try withTemporaryRealm { realm, _ in
      let shelf = LargeShelf()
      try realm.write {
        realm.add(shelf)
        shelf.list.append(Data([1]))
        shelf.map["a"] = Data([1])
      }
      let large = untouched(Self.limit + 1)
      for (use, property) in [
        ({ shelf.list.append(large) }, "list"), ({ shelf.list[0] = large }, "list"),
        ({ shelf.map["a"] = large }, "map"),
      ] {
        let error = thrownError { try realm.write { use() } }
        #expect(error?.code == .valueTooLarge)
        #expect(error?.className == "LargeShelf" && error?.propertyName == property)
      }
      #expect(Array(shelf.list) == [Data([1])] && shelf.map["a"] == Data([1]))
    }
  }

  /// A value larger than the reserved map throws a clear error, and a later write has room.
  @Test func valueLargerThanMapFailsUntilMapGrows() throws {
    try withTemporaryRealm({ $0.mapReservation = 1 << 20 }) { realm, _ in
      let stamp = Stamp(1)
      try realm.write { realm.add(stamp) }
      let data = Data((0..<(6 << 20)).map { UInt8(truncatingIfNeeded: $0 / 4096) })
      var failures = 0
      while failures < 5 {
        do {
          try realm.write { stamp.data = data }
          break
        } catch let error as Realm.Error {
          #expect(error.code == .mapFull)
          #expect(stamp.data == nil)
          failures += 1
        }
      }
      #expect((1..<5).contains(failures))
      #expect(stamp.data == data)
      let frozen = realm.freeze()
      try realm.write { stamp.data = nil }
      #expect(stamp.data == nil)
      #expect(frozen.objects(Stamp.self).first?.data == data)
    }
  }
}

@Model final class LargeShelf: Object {
  @Persisted var list: List<Data>
  @Persisted var map: Map<String, Data>
}
