import Testing
import Varve

/// A class whose properties are called like members of ``Query``.
@Model private final class Shadowing: Object {
  @Persisted var contains: Int
  @Persisted var containsAny: Int
  @Persisted var between: Int
  @Persisted var like: Int
  @Persisted var matches: Int
  @Persisted var starts: Int
  @Persisted var ends: Int
  @Persisted var equals: Int
  @Persisted var anyValue: Int
  @Persisted var rawValue: Int
  @Persisted var persistableValue: Int
  @Persisted var allSatisfy: Int
  @Persisted var noneSatisfy: Int
  @Persisted var count: Int
  @Persisted var any: Int
  @Persisted var first: Int
  @Persisted var last: Int
  @Persisted var keys: Int
  @Persisted var values: Int
  @Persisted var typeName: Int
  @Persisted var min: Int
  @Persisted var max: Int
  @Persisted var sum: Int
  @Persisted var avg: Int
  @Persisted var link: Shadowing?
}

struct QueryNameTests {
  private typealias Condition = @Sendable (Query<Shadowing>) -> Query<Bool>

  private static let conditions: [(name: String, own: Condition, linked: Condition)] = [
    ("contains", { $0.contains == 1 }, { $0.link.contains == 1 }),
    ("containsAny", { $0.containsAny == 1 }, { $0.link.containsAny == 1 }),
    ("between", { $0.between == 1 }, { $0.link.between == 1 }),
    ("like", { $0.like == 1 }, { $0.link.like == 1 }),
    ("matches", { $0.matches == 1 }, { $0.link.matches == 1 }),
    ("starts", { $0.starts == 1 }, { $0.link.starts == 1 }),
    ("ends", { $0.ends == 1 }, { $0.link.ends == 1 }),
    ("equals", { $0.equals == 1 }, { $0.link.equals == 1 }),
    ("rawValue", { $0.rawValue == 1 }, { $0.link.rawValue == 1 }),
    ("persistableValue", { $0.persistableValue == 1 }, { $0.link.persistableValue == 1 }),
    ("allSatisfy", { $0.allSatisfy == 1 }, { $0.link.allSatisfy == 1 }),
    ("noneSatisfy", { $0.noneSatisfy == 1 }, { $0.link.noneSatisfy == 1 }),
    ("count", { $0.count == 1 }, { $0.link.count == 1 }),
    ("any", { $0.any == 1 }, { $0.link.any == 1 }),
    ("first", { $0.first == 1 }, { $0.link.first == 1 }),
    ("last", { $0.last == 1 }, { $0.link.last == 1 }),
    ("keys", { $0.keys == 1 }, { $0.link.keys == 1 }),
    ("values", { $0.values == 1 }, { $0.link.values == 1 }),
    ("typeName", { $0.typeName == 1 }, { $0.link.typeName == 1 }),
    ("min", { $0.min == 1 }, { $0.link.min == 1 }),
    ("max", { $0.max == 1 }, { $0.link.max == 1 }),
    ("sum", { $0.sum == 1 }, { $0.link.sum == 1 }),
    ("avg", { $0.avg == 1 }, { $0.link.avg == 1 }),
    ("anyValue", { $0.anyValue == 1 }, { $0.link[dynamicMember: \.anyValue] == 1 }),
  ]

  @Test func propertiesMayBeCalledLikeMembersOfQueries() throws {
    try withTemporaryRealm { realm, _ in
      for (name, own, linked) in Self.conditions {
        try realm.write {
          realm.deleteAll()
          let object = Shadowing(value: [name: 1])
          object.link = Shadowing(value: [name: 1, "link": Shadowing()])
          realm.add(object)
        }
        #expect(realm.objects(Shadowing.self).where(own).count == 2, "\(name)")
        #expect(realm.objects(Shadowing.self).where(linked).count == 1, "\(name)")
      }
    }
  }
}
