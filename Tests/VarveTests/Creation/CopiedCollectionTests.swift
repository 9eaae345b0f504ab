import Foundation
import Testing
import Varve

private enum TextKeys {
  @Model final class KeyedShelf: Object {
    @Persisted var counts: Map<String, Int>
  }
}

private enum KnownKeys {
  @Model final class KeyedShelf: Object {
    @Persisted var counts: Map<Unit, Int>
  }
}

@Model private final class CopiedBox: Object {
  @Persisted var names: Map<String, Int>
  @Persisted var anything: AnyRealmValue
  @Persisted var numbers: List<Int>
  @Persisted var tags: MutableSet<Int>
  @Persisted var boxes: List<CopiedBox>
}

/// Copies of collections made by `init(value:)`, `create` and `setValue`.
@Suite struct CopiedCollectionTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  private func keys(_ map: Map<String, some RealmCollectionValue>?) -> [[UInt8]]? {
    map?.keys.map { Array($0.utf8) }
  }

  @Test func canonicallyEquivalentKeysStayDistinct() throws {
    let box = CopiedBox()
    box.names[composed] = 1
    box.names[decomposed] = 2
    let nested = Map<String, AnyRealmValue>()
    nested[composed] = 1
    nested[decomposed] = 2
    box.anything = .dictionary(nested)
    let expected = [decomposed, composed].map { Array($0.utf8) }
    #expect(keys(CopiedBox(value: box).names) == expected)
    #expect(keys(CopiedBox(value: box).anything.dictionaryValue) == expected)
    try withTemporaryRealm { realm, _ in
      try withTemporaryRealm { other, _ in
        try other.write { other.add(box) }
        let copy = try realm.write { realm.create(CopiedBox.self, value: box) }
        #expect(keys(copy.names) == expected)
        #expect(keys(copy.anything.dictionaryValue) == expected)
        #expect(copy.names[composed] == 1)
        let set = try realm.write {
          let set = realm.create(CopiedBox.self)
          try set.setValue(box.names, forKey: "names")
          try set.setValue(box.anything, forKey: "anything")
          return set
        }
        #expect(keys(set.names) == expected)
        #expect(keys(set.anything.dictionaryValue) == expected)
      }
    }
  }

  @Test func unknownEnumerationKeysAreKept() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        realm.add(TextKeys.KeyedShelf(value: ["counts": ["gram": 1, "metre": 2, "ounce": 3]]))
      }
      try store.close()
      let realm = try store.open()
      let shelf = try #require(realm.objects(KnownKeys.KeyedShelf.self).first)
      #expect(shelf.counts.count == 3)
      try realm.write {
        realm.create(KnownKeys.KeyedShelf.self, value: shelf)
        let assigned = realm.create(KnownKeys.KeyedShelf.self)
        assigned.counts = shelf.counts
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      for copy in realm.objects(KnownKeys.KeyedShelf.self) {
        #expect(copy.counts.description.contains("\"ounce\": 3"))
        #expect(copy.counts[.gram] == 1)
        #expect(copy.counts[.metre] == 2)
        #expect(copy.counts.count == 3)
        let text = String(decoding: try encoder.encode(copy.counts), as: UTF8.self)
        #expect(text == #"{"gram":1,"metre":2,"ounce":3}"#)
      }
      #expect(realm.objects(KnownKeys.KeyedShelf.self).count == 3)
    }
  }

  @Test func everySequenceProvidesElements() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for number in 1...3 {
          realm.create(CopiedBox.self, value: ["numbers": [number, number + 1]])
        }
        let boxes = realm.objects(CopiedBox.self)
        let all = Array(boxes)
        let made = realm.create(
          CopiedBox.self,
          value: ["boxes": boxes, "numbers": 1...3, "tags": all[0].numbers[0..<2]] as [String: Any])
        #expect(made.boxes.count == 3)
        #expect(Array(made.numbers) == [1, 2, 3])
        #expect(Array(made.tags) == [1, 2])
        let narrowed = boxes.filter("anything == 7")
        for (value, count) in [
          (AnyRealmCollection(made.boxes), 3), (all[1...], 2), (narrowed, 0),
          (made.boxes.lazy.map { $0 }, 3),
        ] as [(any Sequence, Int)] {
          try made.setValue(value, forKey: "boxes")
          #expect(made.boxes.count == count)
          made.boxes.removeAll()
          made.boxes.append(objectsIn: all)
        }
        try made.setValue(all[0].numbers.sorted(ascending: false), forKey: "anything")
        #expect(made.anything == .list(try #require(made.anything.listValue)))
        #expect(made.anything.listValue.map { Array($0) } == [2, 1])
      }
    }
  }

  @Test func stringsDictionariesAndSetsAreNotLists() throws {
    for value in ["12", Data([1, 2]), ["a": 1], Set([1, 2]), [1: 2], "12".dropFirst()] as [Any] {
      let box = CopiedBox()
      expectError(.typeMismatch) { try box.setValue(value, forKey: "numbers") }
      #expect(box.numbers.isEmpty)
    }
  }
}
