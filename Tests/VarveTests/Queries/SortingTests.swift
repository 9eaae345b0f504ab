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

  @Test func nullSortsFirstAndTiesKeepOrder() throws {
    try withSamples([
      (3, 0, ""), (nil, 0, ""), (1, 0, ""), (3, 0, ""), (nil, 0, ""), (.min, 0, ""), (.max, 0, ""),
    ]) { realm, all in
      #expect(all.sorted(by: \.number).map(\.id) == [1, 4, 5, 2, 0, 3, 6])
      #expect(all.sorted(by: \.number, ascending: false).map(\.id) == [6, 0, 3, 2, 5, 1, 4])
      try realm.write { #expect(all.sorted(by: \.number).map(\.id) == [1, 4, 5, 2, 0, 3, 6]) }
    }
  }

  @Test func sortingSortedResultsIsStable() throws {
    try withSamples([(2, 1, "b"), (1, 3, "a"), (2, 2, "a"), (1, 1, "b"), (2, 3, "a")]) { _, all in
      let byText = all.sorted(by: \.text)
      #expect(byText.sorted(by: \.number).map(\.id) == [1, 3, 2, 4, 0])
      #expect(byText.sorted(by: \.number, ascending: false).map(\.id) == [2, 4, 0, 1, 3])
      let both = byText.sorted(by: \.double, ascending: false).sorted(by: ["number", "text"])
      #expect(both.map(\.id) == [1, 3, 4, 2, 0])
      #expect(byText.sorted(by: []).map(\.id) == byText.map(\.id))
    }
  }

  @Test func nanSortsBeforeNumbers() throws {
    try withSamples([
      (nil, 1, ""), (nil, .nan, ""), (nil, -.infinity, ""), (nil, 0, ""), (nil, -0.0, ""),
      (nil, .infinity, ""), (nil, .nan, ""),
    ]) { _, all in
      #expect(all.sorted(by: \.double).map(\.id) == [1, 6, 2, 3, 4, 0, 5])
      #expect(all.sorted(by: \.double, ascending: false).map(\.id) == [5, 0, 3, 4, 2, 1, 6])
    }
  }

  @Test func stringsSortByBytes() throws {
    let texts = ["b", "B", "a", "", "é", "e\u{301}", "z", "\u{10000}", "\u{ffff}", "ab"]
    try withSamples(texts.map { (nil, 0, $0) }) { _, all in
      let expected = texts.indices.sorted {
        texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8)
      }
      #expect(all.sorted(by: \.text).map(\.id) == expected)
    }
  }

  @Test func severalKeysAndLinksSort() throws {
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
      // Object 2 has no parent; the parents' texts are b, a and a.
      #expect(all.sorted(byKeyPath: "parent.text").map(\.id) == [2, 1, 3, 0])
      #expect(all.sorted(by: \.parent?.text, ascending: false).map(\.id) == [0, 1, 3, 2])
    }
  }

  /// Invalid sort paths, with the errors they cause.
  private static let badPaths: [String: (Realm.Error.Code, String, String)] = [
    "nothing": (.unknownProperty, "Sample", "nothing"), "": (.unknownProperty, "Sample", ""),
    "parent.": (.unknownProperty, "Sample", ""), ".text": (.unknownProperty, "Sample", ""),
    "parent.nothing": (.unknownProperty, "Sample", "nothing"),
    "Text": (.unknownProperty, "Sample", "Text"), "self": (.unknownProperty, "Sample", "self"),
    "children": (.invalidInput, "Sample", "children"),
    "byName": (.invalidInput, "Sample", "byName"),
    "children.text": (.invalidInput, "Sample", "children.text"),
    "descendants": (.invalidInput, "Sample", "descendants"),
    "descendants.text": (.invalidInput, "Sample", "descendants.text"),
    "parent": (.invalidInput, "Sample", "parent"),
    "parent.parent.parent": (.invalidInput, "Sample", "parent.parent.parent"),
    "text.count": (.invalidInput, "Sample", "text.count"),
  ]

  @Test func invalidRuntimePathThrows() throws {
    try withSamples([(1, 1, "b"), (2, 2, "a")]) { realm, all in
      for (path, (code, className, property)) in Self.badPaths {
        let calls: [() throws -> Void] = [
          { _ = try all.sorted(byKeyPath: path) },
          { _ = try SortDescriptor(keyPath: path, of: Sample.self) },
          { try realm.write { _ = try all[0].children.sorted(byKeyPath: path) } },
          { _ = try all.sorted(byKeyPath: Substring(path), ascending: false) },
        ]
        for call in calls {
          let error = thrownError(call)
          #expect(error?.code == code && error?.className == className, "\(path)")
          #expect(error?.propertyName == property, "\(path)")
        }
      }
      let good = ["te", "xt"].joined()
      #expect(try all.sorted(byKeyPath: good).map(\.id) == [1, 0])
      let descriptor = try SortDescriptor(keyPath: good, of: Sample.self, ascending: false)
      #expect(all.sorted(by: [descriptor]).map(\.id) == [0, 1])
      #expect(all.sorted(by: [descriptor.reversed()]).map(\.id) == [1, 0])
      #expect(all.sorted(by: []).map(\.id) == [0, 1])
    }
  }

  private static let literals: [String: @Sendable (Results<Sample>) -> Void] = [
    "nothing": { _ = $0.sorted(byKeyPath: "nothing") }, "": { _ = $0.sorted(byKeyPath: "") },
    "children.text": { _ = $0.sorted(by: [SortDescriptor(keyPath: "children.text")]) },
    "descendants": { _ = $0.sorted(by: ["text", "descendants"]) },
    "parent": { _ = $0.sorted(byKeyPath: "parent", ascending: false) },
  ]

  @Test(arguments: literals.keys.sorted())
  func invalidLiteralPathTraps(_ path: String) async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = path as String] in
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "sorting"))
      Self.literals[path]?(realm.objects(Sample.self))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Sample cannot be sorted by '\(path)': "), "\(text)")
    #expect(text.contains("(class Sample, property '\(path)')"), "\(text)")
  }

  @Test func everyOrderedTypeSorts() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for id in 0..<3 {
          let sample = Sample(value: ["id": id, "flag": id == 0, "small": -id])
          sample.float = Float(3 - id)
          sample.level = [.high, .low, .middle][id]
          sample.data = id == 1 ? nil : Data([UInt8(9 - id)])
          sample.date = Date(timeIntervalSince1970: Double(-id))
          sample.uuid = UUID(uuid: (UInt8(7 - id), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
          realm.add(sample)
        }
      }
      let all = realm.objects(Sample.self)
      #expect(all.sorted(by: \.flag).map(\.id) == [1, 2, 0])
      #expect(all.sorted(by: \.small).map(\.id) == [2, 1, 0])
      #expect(all.sorted(by: \.float).map(\.id) == [2, 1, 0])
      #expect(all.sorted(by: \.date).map(\.id) == [2, 1, 0])
      #expect(all.sorted(by: \.uuid).map(\.id) == [2, 1, 0])
      #expect(all.sorted(by: \.data).map(\.id) == [1, 2, 0])
      // By the raw values -1, 0 and 7.
      #expect(all.sorted(by: \.level).map(\.id) == [1, 2, 0])
    }
  }
}
