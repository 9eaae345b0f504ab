import Testing
import Varve

/// Objects in mixed values are found in every collection by any value that refers to the same
/// stored object.
@Suite struct MixedObjectLookupTests {
  @Test func objectWithoutKeyIsFoundByAnyInstance() throws {
    try withTemporaryRealm { realm, _ in
      let box = MixedBox(id: 1)
      let (first, second) = (Gadget(name: "a"), Gadget(name: "b"))
      box.items.append(objectsIn: [5, .object(first), .object(second)])
      box.kinds.insert(objectsIn: [.object(first), .object(second)])
      #expect(box.items.index(of: .object(second)) == 2)
      try realm.write { realm.add(box) }
      let another = AnyRealmValue.object(realm.objects(Gadget.self)[1])
      let frozen = AnyRealmValue.object(second.freeze())
      for value in [another, frozen] {
        #expect(box.items.index(of: value) == 2)
        #expect(box.kinds.contains(value))
        #expect(box.kinds.index(of: value) == 1)
        let results = box.items.where { $0 != 7 }
        #expect(results.index(of: value) == 2)
        #expect(results.contains(value))
        #expect(results.freeze().index(of: value) == 2)
        #expect(AnyRealmCollection(results).index(of: value) == 2)
      }
      let stranger = AnyRealmValue.object(Gadget(name: "b"))
      #expect(box.items.where { $0 != 7 }.index(of: stranger) == nil)
      #expect(box.items.index(of: stranger) == nil)
    }
  }
}
