import Foundation
import Testing
import Varve

@Model private class Beast: Object {
  @Persisted var name: String
  @Persisted var legs = 4
  @Persisted var born: Date = Date(timeIntervalSince1970: 1)
  @Persisted var tags: List<String>
  @Persisted var sizes: Map<String, Int>
  @Persisted var words: MutableSet<String>
  @Persisted var friend: Beast?
  @Persisted var code: Int? = 7
}

@Model private final class Tomcat: Beast {
  @Persisted var lives = 9
}

@Model private final class Numbered<T: RealmCollectionValue & _Persistable>: Object {
  @Persisted var number: T
  @Persisted var numbers: List<T>
}

@Model private final class Prepared: Object {
  @Persisted var name: String
  @Persisted var note = ""
  @Persisted var size: Int?
  @Persisted var tags: List<String>

  required init() {
    super.init()
    note = "prepared"
    size = 3
    tags.append("prepared")
  }
}

@Model private final class WithDefaults: Object {
  @Persisted var name = "declared"
  @Persisted var size: Int? = 1

  override class func defaultPropertyValues() -> [String: Any] { ["name": "method"] }
}

@Model(memberwise: false) private final class Own: Object {
  @Persisted var name: String
}

extension Own {
  fileprivate convenience init(name: String) {
    self.init()
    self.name = name + "!"
  }
}

/// The memberwise initializers of classes.
@Suite struct MemberwiseTests {
  @Test func parametersSetProperties() {
    let animal = Beast(name: "Rex")
    #expect(animal.name == "Rex" && animal.legs == 4 && animal.code == 7)
    #expect(animal.born == Date(timeIntervalSince1970: 1) && animal.tags.isEmpty)
    let other = Beast(
      name: "Tom", legs: 3, born: .distantPast, tags: ["a", "b"], sizes: ["x": 1], words: ["w"],
      friend: animal, code: nil)
    #expect(other.legs == 3 && other.born == .distantPast && Array(other.tags) == ["a", "b"])
    #expect(other.sizes["x"] == 1 && other.words.contains("w") && other.friend === animal)
    #expect(other.code == nil)
  }

  @Test func subclassesInheritTheInitializer() {
    let cat = Tomcat(name: "Tom")
    #expect(cat.name == "Tom" && cat.lives == 9 && type(of: cat) == Tomcat.self)
  }

  @Test func genericClassesHaveTheInitializer() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        realm.add(Numbered(number: 1, numbers: [2, 3]))
        realm.insert([Numbered<Int>.New(number: 2)])
      }
      #expect(realm.objects(Numbered<Int>.self).map(\.number) == [1, 2])
    }
  }

  @Test func valuesOfOwnInitStayUnlessParametersAreGiven() {
    let prepared = Prepared(name: "a", size: nil)
    #expect(prepared.note == "prepared" && Array(prepared.tags) == ["prepared"])
    #expect(prepared.size == nil && Prepared().size == 3)
    let other = Prepared(name: "a", note: "", size: 4, tags: [])
    #expect(other.note == "" && other.size == 4 && other.tags.isEmpty)
  }

  @Test func defaultsOfMethodApply() {
    #expect(WithDefaults(size: 2).name == "method")
    #expect(WithDefaults(name: "x", size: nil).size == nil)
  }

  @Test func optOutLeavesTheInitializerToTheProgram() {
    #expect(Own(name: "a").name == "a!")
  }
}
