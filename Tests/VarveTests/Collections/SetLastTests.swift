import Testing
import Varve

@Model private final class Tagged: Object {
  @Persisted var before: MutableSet<String>
  @Persisted var tags: MutableSet<String>
  @Persisted var after: MutableSet<String>
}

/// `last` is found without reading the other elements; here it is compared with all elements.
@Suite struct SetLastTests {
  @Test func lastIsLastOfAllElements() throws {
    let long = String(repeating: "l", count: 700)
    let parts = (0..<20).map { long + "\($0 * 7 % 20)" }
    try withTemporaryRealm { realm, _ in
      let object = Tagged()
      #expect(object.tags.last == nil)
      try realm.write { realm.add(object) }
      #expect(object.tags.last == nil)
      for elements in [["b"], ["a", "c", ""], parts, ["zz"], [long + "a", long]] {
        try realm.write {
          object.tags.insert(objectsIn: elements)
          let last = object.tags.last
          #expect(last == Array(object.tags).last)
        }
        #expect(object.tags.last == Array(object.tags).last)
        #expect(object.tags.freeze().last == Array(object.tags).last)
      }
      #expect(object.tags.last == "zz")
      try realm.write { object.after.insert("a") }
      #expect(object.tags.last == "zz")
      #expect(object.before.last == nil)
      try realm.write { object.tags.remove("zz") }
      #expect(object.tags.last == long + "a")
      try realm.write { object.tags.remove(long + "a") }
      #expect(object.tags.last == long + "9")
      try realm.write { object.tags.removeAll() }
      #expect(object.tags.last == nil)
    }
  }

  @Test func lastOfUnmanagedSetOfOptionals() throws {
    let set = MutableSet<Int?>([nil])
    #expect(set.last == .some(nil))
    set.insert(objectsIn: [3, -2, nil])
    #expect(set.last == 3)
    set.removeAll()
    #expect(set.last == nil)
  }
}
