import Foundation
import Testing
import Varve

@Suite struct SortingTests {
  private func withSamples(
    _ values: [(Int?, Double, String)], _ body: (Realm, Results<Sample>) throws -> Void
  ) throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (id, (number, double, text)) in values.enumerated() {
          let sample = Sample(value: ["id": id, "text": text])
          sample.number = number
          sample.double = double
          realm.add(sample)
        }
      }
      try body(realm, realm.objects(Sample.self))
    }
  }

  @Test func nullComesFirstAndTiesKeepTheirOrder() throws {
    try withSamples([
      (3, 0, ""), (nil, 0, ""), (1, 0, ""), (3, 0, ""), (nil, 0, ""), (.min, 0, ""), (.max, 0, ""),
    ]) { realm, all in
      #expect(all.sorted(by: \.number).map(\.id) == [1, 4, 5, 2, 0, 3, 6])
      #expect(all.sorted(by: \.number, ascending: false).map(\.id) == [6, 0, 3, 2, 5, 1, 4])
      try realm.write { #expect(all.sorted(by: \.number).map(\.id) == [1, 4, 5, 2, 0, 3, 6]) }
    }
  }

  @Test func nanComesBeforeTheNumbers() throws {
    try withSamples([
      (nil, 1, ""), (nil, .nan, ""), (nil, -.infinity, ""), (nil, 0, ""), (nil, -0.0, ""),
      (nil, .infinity, ""), (nil, .nan, ""),
    ]) { _, all in
      #expect(all.sorted(by: \.double).map(\.id) == [1, 6, 2, 3, 4, 0, 5])
      #expect(all.sorted(by: \.double, ascending: false).map(\.id) == [5, 0, 3, 4, 2, 1, 6])
    }
  }

  @Test func stringsSortByTheirBytes() throws {
    let texts = ["b", "B", "a", "", "é", "e\u{301}", "z", "\u{10000}", "\u{ffff}", "ab"]
    try withSamples(texts.map { (nil, 0, $0) }) { _, all in
      let expected = texts.indices.sorted {
        texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8)
      }
      #expect(all.sorted(by: \.text).map(\.id) == expected)
    }
  }

  @Test func severalKeysAndLinks() throws {
    try withSamples([(2, 1, "a"), (1, 1, "b"), (1, 2, "a"), (2, 1, "b")]) { realm, all in
      #expect(
        all.sorted(by: ["number", SortDescriptor(keyPath: "text", ascending: false)]).map(\.id) == [
          1, 2, 3, 0,
        ])
      try realm.write {
        all[0].parent = all[1]
        all[1].parent = all[0]
        all[3].parent = all[2]
      }
      // 2 has no parent; the parents' texts are b, a and a.
      #expect(all.sorted(byKeyPath: "parent.text").map(\.id) == [2, 1, 3, 0])
      #expect(all.sorted(by: \.parent?.text, ascending: false).map(\.id) == [0, 1, 3, 2])
    }
  }

  @Test func anUnknownPathFailsTheWrite() throws {
    try withSamples([(1, 1, "a")]) { realm, all in
      let error = thrownError { try realm.write { _ = all.sorted(byKeyPath: "nothing").count } }
      #expect(error?.code == .unknownProperty && error?.propertyName == "nothing")
      #expect(all.sorted(byKeyPath: "nothing").isEmpty)
    }
  }
}
