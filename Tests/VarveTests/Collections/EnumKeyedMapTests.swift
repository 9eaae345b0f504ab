import Testing
import Varve

@Model private final class Rack: Object {
  @Persisted var boxes: Map<Unit, Rack?>
  @Persisted var counts: Map<Unit, Int>
}

/// Maps with enumeration keys behave as maps with string keys.
@Suite struct EnumKeyedMapTests {
  @Test func objectsAreDeletedAndChangesReported() throws {
    try withTemporaryRealm { realm, _ in
      let rack = Rack()
      try realm.write {
        realm.add(rack)
        rack.boxes[.gram] = Rack()
        rack.boxes[.metre] = Rack()
        rack.counts[.metre] = 1
      }
      let before = realm.freeze()
      try realm.write {
        rack.counts[.metre] = 2
        rack.counts[.gram] = 3
        realm.delete(rack.boxes)
      }
      #expect(realm.objects(Rack.self).count == 1)
      #expect(rack.boxes.count == 2)
      let changes = try realm.changes(since: before).changes(of: rack.counts)
      #expect(changes.insertions == ["gram"])
      #expect(changes.modifications == ["metre"])
    }
  }

  @Test func manyEntriesAreAddedInAnyOrder() {
    let map = Map<String, Int>()
    map.addEntries(from: (0..<3000).map { (key: "\($0 * 7919 % 3000)", value: $0) })
    #expect(map.count == 3000)
    #expect(map.keys == map.keys.sorted())
    map.addEntries(from: [(key: "5", value: -1), (key: "x", value: 1), (key: "x", value: 2)])
    #expect(map["5"] == -1 && map["x"] == 2 && map.count == 3001)
    map.merge([(key: "5", value: 1), (key: "y", value: 4), (key: "y", value: 5)]) { $0 + $1 }
    #expect(map["5"] == 0 && map["y"] == 9 && map.count == 3002)
    map.set([(key: "b", value: 1), (key: "a", value: 2)])
    #expect(map.keys == ["a", "b"])
  }
}
