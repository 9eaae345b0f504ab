import Foundation
import Testing
import Varve

@Model final class ShortlyStored: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var level: Int8
  @Persisted var score: Double?
  @Persisted var status = "new"
  @Persisted var token = UUID()
  @Persisted var bytes: Data?
  @Persisted var friend: ShortlyStored?
  @Persisted var friends: List<ShortlyStored>
  @Persisted var words: Map<String, String>
  @Persisted(originProperty: "friend") var admirers: LinkingObjects<ShortlyStored>
}

/// Consecutive insertions of objects with scalar values, links and collections.
@Suite struct InsertionTests {
  @Test func linksToManagedObjectsAndUnusedCollectionsAreStored() throws {
    try withTemporaryRealm { realm, store in
      var last: ShortlyStored?
      try realm.write {
        for id in 0..<50 {
          let object = ShortlyStored()
          object.id = id
          object.level = Int8(id)
          object.friend = last
          realm.add(object)
          last = object
          #expect(object.friends.isEmpty && object.words.isEmpty)
          if id % 7 == 0 { object.friends.append(object) }
        }
      }
      let all = realm.objects(ShortlyStored.self)
      #expect(all.map(\.level) == (0..<50).map { Int8($0) })
      #expect(all.map { $0.friend?.id } == [nil] + (0..<49).map { .some($0) })
      #expect(all.map(\.admirers.count) == Array(repeating: 1, count: 49) + [0])
      #expect(
        all.filter { $0.friends.count == 1 }.map(\.id) == Array(stride(from: 0, to: 50, by: 7)))
      #expect(all.allSatisfy { $0.status == "new" && $0.score == nil && $0.bytes == nil })
      #expect(Set(all.map(\.token)).count == 50)
      try store.check()
    }
  }

  @Test func linkedObjectsAreStoredWithTheirOwner() throws {
    try withTemporaryRealm { realm, store in
      let (first, second) = (ShortlyStored(), ShortlyStored())
      (first.id, second.id) = (1, 2)
      first.friend = second
      second.friends.append(first)
      let list = second.friends
      let words = first.words
      words["a"] = "b"
      try realm.write { realm.add(first) }
      #expect(list.map(\.id) == [1] && list.realm == realm && words.realm == realm)
      #expect(first.words["a"] == "b" && first.friend == second && first.admirers.isEmpty)
      try store.check()
    }
  }

  @Test func linkToDeletedObjectThrows() throws {
    try withTemporaryRealm { realm, store in
      let target = try realm.write { realm.create(ShortlyStored.self, value: ["id": 1]) }
      try realm.write { realm.delete(target) }
      expectError(.invalidatedObject) {
        try realm.write {
          let object = ShortlyStored()
          object.id = 2
          object.friend = target
          realm.add(object)
        }
      }
      #expect(realm.isEmpty)
      try store.check()
    }
  }

  @Test func keysInAnyOrderAreStoredAndStayUnique() throws {
    try withTemporaryRealm { realm, store in
      let ids = [5, 9, 7, 10, 1, 11, -3, 12]
      try realm.write {
        for id in ids { realm.add(ShortlyStored(value: ["id": id])) }
        for id in [12, 10] {
          if let object = realm.object(ofType: ShortlyStored.self, forPrimaryKey: id) {
            realm.delete(object)
          }
        }
        for id in [10, 13] { realm.add(ShortlyStored(value: ["id": id])) }
      }
      #expect(realm.objects(ShortlyStored.self).map(\.id) == [-3, 1, 5, 7, 9, 10, 11, 13])
      expectError(.duplicatePrimaryKey) {
        try realm.write { realm.add(ShortlyStored(value: ["id": 7])) }
      }
      try store.check()
    }
  }

  @Test func mapKeysAreInsertedAndReplacedAlternately() throws {
    try withTemporaryRealm { realm, store in
      let object = try realm.write { realm.create(ShortlyStored.self, value: ["id": 1]) }
      try realm.write {
        for number in 0..<100 { object.words["\(number * 37 % 60)"] = "\(number)" }
        for number in 0..<10 { object.words["\(number)"] = String(repeating: "x", count: 2_000) }
        for number in 55..<70 { object.words["\(number)"] = "\(number)" }
      }
      #expect(object.words.count == 70)
      #expect(object.words["3"]?.count == 2_000 && object.words["69"] == "69")
      try store.check()
    }
  }
}
