import Foundation
import Testing
import Varve

@Model final class OldDog: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var age = RealmProperty<Int?>()
  @Persisted var weight: RealmOptional<Double>
  @Persisted var rank = RealmProperty<Int>(4)
  @Persisted var mate: OldDog?
}

/// The class after its migration to plain optionals.
enum WithPlainOptionals {
  @Model final class OldDog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var age: Int?
    @Persisted var weight: Double?
    @Persisted var rank: Int
    @Persisted var mate: OldDog?
  }
}

@Suite struct RealmPropertyTests {
  @Test func valueReadsAndWritesProperty() throws {
    let dog = OldDog(value: ["id": 1, "age": 3])
    #expect(dog.age.value == 3 && dog.weight.value == nil && dog.rank.value == 4)
    dog.age.value = nil
    let age = dog.age
    try withTemporaryRealm { realm, _ in
      try realm.write { realm.add(dog) }
      #expect(dog.age.value == nil && age.value == nil)
      try realm.write {
        age.value = 0
        dog.weight.value = 1.5
      }
      #expect(dog.age.value == 0 && dog.weight.value == 1.5 && dog.freeze().age.value == 0)
      try realm.write {
        dog.age = RealmProperty(7)
        dog.weight = dog.weight
      }
      #expect(age.value == 7 && dog.age == RealmProperty(7) && dog.weight.value == 1.5)
      let plain = try #require(realm.objects(WithPlainOptionals.OldDog.self).first)
      #expect(plain.age == 7 && plain.weight == 1.5 && plain.rank == 4)
    }
  }

  @Test func queriesAccessValue() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let ages: [Int?] = [nil, 0, 5]
        for (id, age) in ages.enumerated() {
          let dog = realm.create(OldDog.self, value: ["id": id])
          dog.age.value = age
          dog.mate = id == 0 ? nil : realm.object(ofType: OldDog.self, forPrimaryKey: id - 1)
        }
      }
      let all = realm.objects(OldDog.self)
      #expect(all.where { $0.age.value == nil }.map(\.id) == [0])
      #expect(all.where { $0.age.value >= 0 }.map(\.id) == [1, 2])
      #expect(all.where { $0.mate.age.value == 0 }.map(\.id) == [2])
      #expect(all.sorted(by: \.age.value, ascending: false).map(\.id) == [2, 1, 0])
      #expect(all.sorted(by: \.mate?.age.value, ascending: false).map(\.id) == [2, 0, 1])
      #expect(all.max(of: \.age.value) == 5)
      #expect(OldDog().objectSchema["age"]?.type == .int)
      #expect(OldDog().objectSchema["age"]?.isOptional == true)
    }
  }

  @Test func codingUsesWrappedValue() throws {
    let dog = OldDog(value: ["id": 1, "age": 3])
    let text = String(decoding: try JSONEncoder().encode(dog), as: UTF8.self)
    #expect(text.contains(#""age":3"#))
    let read = try JSONDecoder().decode(OldDog.self, from: Data(#"{"id":2,"age":9}"#.utf8))
    #expect(read.age.value == 9 && read.weight.value == nil && read.rank.value == 4)
  }
}
