import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct WhereTests {
  private static let texts = ["", "a", "A", "ab", "Ab", "abc", "b", "é", "e\u{301}", "É", "zebra"]
  private static let doubles: [Double] = [
    0, -0.0, 1, -1, .nan, .infinity, -.infinity, 0x1p53, 0x1p53 + 2, 0.5,
  ]

  /// A store of random samples; about a third of the nullable values are null.
  private func withSamples(
    _ body: (Realm, [Sample], Comment) throws -> Void
  ) throws {
    var random = SeededRandom()
    let comment: Comment = "\(random)"
    try withTemporaryRealm { realm, store in
      let samples = try realm.write { () -> [Sample] in
        (0..<120).map { id in
          let sample = Sample()
          sample.id = id - 60
          sample.number = random.chance(30) ? nil : random.below(9) - 4
          sample.small = Int8(random.below(20) - 10)
          sample.double = random.element(Self.doubles) ?? 0
          sample.optionalDouble = random.chance(30) ? nil : random.element(Self.doubles)
          sample.float = Float(random.below(6)) / 2
          sample.text = random.element(Self.texts) ?? ""
          sample.optionalText = random.chance(30) ? nil : random.element(Self.texts)
          sample.flag = random.chance(50)
          sample.date =
            random.chance(30)
            ? nil : Date(timeIntervalSinceReferenceDate: Double(random.below(5)))
          sample.data = random.chance(30) ? nil : Data(repeating: 1, count: random.below(4))
          sample.level = random.element(Level.allCases) ?? .low
          realm.add(sample)
          return sample
        }
      }
      try realm.write {
        for sample in samples where random.chance(60) { sample.parent = random.element(samples) }
      }
      try body(realm, samples, comment)
    }
  }

  @Test func conditionsMatchClosures() throws {
    try withSamples { realm, samples, comment in
      let all = realm.objects(Sample.self)
      func check(
        _ condition: (Query<Sample>) -> Query<Bool>, _ closure: (Sample) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
      ) throws {
        let expected = samples.filter(closure).map(\.id)
        let found = all.where(condition)
        #expect(found.map(\.id) == expected, comment, sourceLocation: sourceLocation)
        #expect(found.count == expected.count && found.isEmpty == expected.isEmpty, comment)
        #expect(found.first?.id == expected.first && found.last?.id == expected.last, comment)
        let denied = all.where { !condition($0) }.map(\.id)
        #expect(
          denied == samples.filter { !closure($0) }.map(\.id), comment,
          sourceLocation: sourceLocation)
        try realm.write {
          #expect(
            all.where(condition).map(\.id) == expected, comment, sourceLocation: sourceLocation)
        }
      }
      try check({ $0.number == 2 }, { $0.number == 2 })
      try check({ $0.number != 2 }, { $0.number != 2 })
      try check({ $0.number == nil }, { $0.number == nil })
      try check({ $0.number != nil }, { $0.number != nil })
      try check({ $0.number > 1 }, { $0.number.map { $0 > 1 } ?? false })
      try check({ $0.number <= 1 }, { $0.number.map { $0 <= 1 } ?? false })
      try check({ $0.number < nil }, { _ in false })
      try check({ $0.number <= nil }, { $0.number == nil })
      try check({ $0.number >= nil }, { $0.number == nil })
      try check({ $0.number <= $0.number && $0.number >= $0.number }, { _ in true })
      try check({ $0.parent.number >= $0.parent.number }, { _ in true })
      try check({ $0.number > $0.number }, { _ in false })
      try check({ $0.number.in([1, nil, 3]) }, { [1, nil, 3].contains($0.number) })
      try check({ $0.number.in([]) }, { _ in false })
      try check({ $0.small >= 3 && $0.flag }, { $0.small >= 3 && $0.flag })
      try check({ $0.small.contains(-3...3) }, { (-3...3).contains($0.small) })
      try check({ $0.id.contains(-3..<3) }, { (-3..<3).contains($0.id) })
      try check({ $0.flag || $0.id == 5 }, { $0.flag || $0.id == 5 })
      try check({ $0.level == .high }, { $0.level == .high })
      try check({ $0.level.in([.low, .middle]) }, { $0.level != .high })
      try check({ $0.float > 1 }, { $0.float > 1 })
      try check(
        { $0.date > Date(timeIntervalSinceReferenceDate: 2) },
        { $0.date.map { $0.timeIntervalSinceReferenceDate > 2 } ?? false })
      try check({ $0.data == Data([1, 1]) }, { $0.data == Data([1, 1]) })
      try check({ $0.uuid == samples[3].uuid }, { $0.uuid == samples[3].uuid })
    }
  }

  @Test func stringsCompareByBytes() throws {
    try withSamples { realm, samples, comment in
      let all = realm.objects(Sample.self)
      func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
      func check(
        _ condition: (Query<Sample>) -> Query<Bool>, _ closure: (Sample) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
      ) {
        #expect(
          all.where(condition).map(\.id) == samples.filter(closure).map(\.id), comment,
          sourceLocation: sourceLocation)
      }
      check({ $0.text == "é" }, { bytes($0.text) == bytes("é") })
      check({ $0.text != "é" }, { bytes($0.text) != bytes("é") })
      check({ $0.text < "b" }, { $0.text.utf8.lexicographicallyPrecedes("b".utf8) })
      check({ $0.text.starts(with: "a") }, { bytes($0.text).starts(with: bytes("a")) })
      check(
        { $0.text.starts(with: "a", caseInsensitive: true) },
        { bytes($0.text.lowercased()).starts(with: bytes("a")) })
      check({ $0.text.ends(with: "b") }, { bytes($0.text).last == UInt8(ascii: "b") })
      check({ $0.text.contains("b") }, { bytes($0.text).contains(UInt8(ascii: "b")) })
      check({ $0.text.equals("ab", caseInsensitive: true) }, { $0.text.lowercased() == "ab" })
      check({ $0.optionalText == "" }, { $0.optionalText == "" })
      check({ $0.optionalText.contains("b") }, { $0.optionalText?.contains("b") ?? false })
      check({ $0.text.contains("") }, { _ in false })
      check({ $0.double == $0.double }, { !$0.double.isNaN })
    }
  }

  @Test func nanEqualsNothingAndNegativeZeroEqualsZero() throws {
    try withSamples { realm, samples, comment in
      let all = realm.objects(Sample.self)
      for value in Self.doubles {
        #expect(
          all.where { $0.double == value }.map(\.id)
            == samples.filter { $0.double == value }.map(\.id), comment)
        #expect(
          all.where { $0.double != value }.map(\.id)
            == samples.filter { $0.double != value }.map(\.id), comment)
        #expect(
          all.where { $0.double < value }.map(\.id)
            == samples.filter { $0.double < value }.map(\.id), comment)
        let notLess = samples.filter { $0.optionalDouble.map { $0 >= value } ?? false }
        #expect(
          all.where { $0.optionalDouble >= value }.map(\.id) == notLess.map(\.id), comment)
      }
    }
  }

  @Test func linksAreFollowed() throws {
    try withSamples { realm, samples, comment in
      let all = realm.objects(Sample.self)
      let target = samples[7]
      #expect(
        all.where { $0.parent == target }.map(\.id)
          == samples.filter { $0.parent?.id == target.id }.map(\.id), comment)
      #expect(
        all.where { $0.parent == nil }.map(\.id) == samples.filter { $0.parent == nil }.map(\.id))
      #expect(
        all.where { $0.parent != nil }.map(\.id) == samples.filter { $0.parent != nil }.map(\.id))
      #expect(
        all.where { $0.parent.number == 1 }.map(\.id)
          == samples.filter { $0.parent?.number == 1 }.map(\.id), comment)
      // A null link reads null at its end.
      #expect(
        all.where { $0.parent.number == nil }.map(\.id)
          == samples.filter { $0.parent?.number == nil }.map(\.id), comment)
      let expected = samples.filter { $0.parent?.parent.map { $0.small > 2 } ?? false }
      #expect(all.where { $0.parent.parent.small > 2 }.map(\.id) == expected.map(\.id), comment)
      #expect(all.where { $0.parent == Sample() }.isEmpty)
    }
  }

  @Test func chainedConditionsCombine() throws {
    try withSamples { realm, samples, comment in
      let found = realm.objects(Sample.self).where { $0.flag }.where { $0.small > 0 }
        .sorted(by: \.text).where { $0.id > 0 }
      let expected = samples.filter { $0.flag && $0.small > 0 && $0.id > 0 }
      #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), comment)
      #expect(
        found.map(\.text).elementsEqual(
          expected.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        ) {
          Array($0.utf8) == Array($1.utf8)
        }, comment)
    }
  }

  @Test func resultsFollowRealmAndFrozenResultsDoNot() throws {
    try withSamples { realm, samples, _ in
      let live = realm.objects(Sample.self).where { $0.small == 100 }
      let frozen = live.freeze()
      #expect(live.isEmpty)
      try realm.write {
        samples[0].small = 100
        #expect(live.count == 1)
        samples[1].small = 100
        #expect(live.count == 2 && live[1].id == samples[1].id)
      }
      #expect(live.count == 2 && frozen.isEmpty && frozen.isFrozen)
      #expect(frozen.thaw()?.count == 2)
      try realm.write { realm.delete(live) }
      #expect(live.isEmpty && samples[0].isInvalidated)
    }
  }

  @Test func listsMapsAndLinkingObjectsCanBeQueried() throws {
    try withSamples { realm, samples, comment in
      let hub = samples[0]
      let members = [5, 3, 3, 9, 40, 41, 5].map { samples[$0] }
      try realm.write {
        hub.children.append(objectsIn: members)
        for (index, member) in members.enumerated() { hub.byName["\(9 - index)"] = .some(member) }
        hub.byName["none"] = .some(nil)
      }
      #expect(
        hub.children.where { $0.small > 0 }.map(\.id)
          == members.filter { $0.small > 0 }.map(\.id), comment)
      #expect(hub.children.sorted(by: \.id).map(\.id) == members.map(\.id).sorted())
      #expect(hub.children.map(\.id) == members.map(\.id))
      #expect(hub.children.sum(of: \.id) == members.map(\.id).reduce(0, +))
      #expect(hub.children.min(of: \.small) == members.map(\.small).min())
      #expect(hub.byName.sorted(by: \.id).map(\.id) == members.map(\.id).sorted())
      #expect(
        hub.byName.where { $0.small > 0 }.map(\.id)
          == members.reversed().filter { $0.small > 0 }.map(\.id), comment)
      let target = try #require(samples.first { !$0.descendants.isEmpty })
      #expect(
        target.descendants.where { $0.small > 0 }.map(\.id)
          == samples.filter { $0.parent?.id == target.id && $0.small > 0 }.map(\.id), comment)
      let frozen = hub.freeze()
      try realm.write {
        hub.children.append(samples[60])
        #expect(hub.children.where { $0.id == samples[60].id }.count == 1)
      }
      #expect(frozen.children.where { $0.id == samples[60].id }.isEmpty)
    }
  }
}
