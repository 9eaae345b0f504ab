import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

/// Random changes of texts, compared with the words of the texts themselves. The words are so long
/// that pending texts are merged every hundred changes.
@Suite struct FullTextHistoryTests {
  /// Words of about 45 bytes with a skewed frequency.
  private static let vocabulary = (0..<600).map { index in
    "w\(index)q" + String(repeating: "abcdefgh", count: 5)
  }

  private static func word(_ random: inout SeededRandom) -> String {
    let fraction = Double(random.below(1 << 20)) / Double(1 << 20)
    return vocabulary[Int(600 * fraction * fraction * fraction)]
  }

  private static func words(_ random: inout SeededRandom) -> [String] {
    // Every thirtieth text is merged at once.
    let count = random.oneIn(30) ? 700 : random.oneIn(10) ? 0 : 1 + random.below(80)
    return (0..<count).map { _ in word(&random) }
  }

  private static func query(_ random: inout SeededRandom) -> EssayQuery {
    func term() -> EssayQuery.Term {
      if random.oneIn(4) {
        return EssayQuery.Term(word: "w\(random.below(60))", isPrefix: true)
      }
      return EssayQuery.Term(word: random.oneIn(10) ? "absent" : word(&random))
    }
    return EssayQuery(
      included: (0...random.below(3)).map { _ in term() },
      excluded: (0..<random.below(2)).map { _ in term() })
  }

  private func change(
    _ realm: Realm, _ model: inout EssayModel, _ random: inout SeededRandom, ids: [Int]
  ) throws {
    let id = random.pick(ids)
    let essay = realm.object(ofType: Essay.self, forPrimaryKey: id)
    switch random.below(6) {
    case 0, 1, 2:
      let words = Self.words(&random)
      let text: String? = words.isEmpty && random.oneIn(2) ? nil : words.joined(separator: " ")
      if let essay {
        essay.text = text
      } else {
        let new = Essay()
        new.id = id
        new.text = text
        realm.add(new)
        model.count += 1
      }
      model.texts[id] = words
    case 3:
      // Another text with the same words.
      essay?.text = essay?.text.map { $0.uppercased() + "." }
    case 4:
      guard let essay else { return }
      realm.delete(essay)
      model.texts[id] = nil
      model.count -= 1
    default:
      guard let essay, let words = model.texts[id], !words.isEmpty else { return }
      let changed = Array(words.dropLast()) + [Self.word(&random)]
      essay.text = changed.joined(separator: "\n")
      model.texts[id] = changed
    }
  }

  @Test(arguments: [0, 1]) func indexFollowsTexts(_ form: Int) throws {
    var random = SeededRandom()
    let store = try TemporaryRealm()
    defer { store.end() }
    var realm = try store.open()
    // The first write stores the class, with its index.
    try realm.write { realm.add(Essay()) }
    try realm.write { realm.deleteAll() }
    var model = EssayModel()
    // Ascending or spread over the whole range.
    let ids =
      form == 0
      ? Array(0..<250)
      : (0..<250).map { _ in Int(truncatingIfNeeded: random.next()) } + [.min, .max, 0, -1]
    var mergeCount = 0
    var pendingCount = 0
    for round in 0..<120 {
      var changed = model
      do {
        try realm.write {
          for _ in 0...random.below(30) { try change(realm, &changed, &random, ids: ids) }
          // Inside the write, before and after merges.
          for _ in 0..<3 { changed.compare(realm, Self.query(&random), "\(random)") }
          if random.oneIn(8) { throw Cancelled() }
        }
        model = changed
      } catch is Cancelled {
      }
      for _ in 0..<3 { model.compare(realm, Self.query(&random), "\(random)") }
      let pending = try store.textBlocks().pendingCount
      if pending < pendingCount { mergeCount += 1 }
      pendingCount = pending
      if round % 15 == 14 { try store.check("\(random)") }
      if round % 40 == 39 {
        try Realm.close(store.configuration)
        realm = try store.open()
      }
    }
    #expect(mergeCount > 3, "\(random)")
    try realm.write { realm.deleteAll() }
    #expect(try store.report().indexEntryCount == 0, "\(random)")
  }

  @Test func largeClassWithSkewedWordsIsSearched() throws {
    var random = SeededRandom()
    func text() -> [String] {
      (0..<40).map { _ in
        let fraction = Double(random.below(1 << 20)) / Double(1 << 20)
        return "s\(Int(4096 * fraction * fraction * fraction))"
      }
    }
    try withTemporaryRealm { realm, store in
      var model = EssayModel()
      for start in stride(from: 0, to: 4000, by: 500) {
        try realm.write {
          for id in start..<start + 500 {
            let words = text()
            model.texts[id] = words
            realm.create(Essay.self, value: ["id": id, "text": words.joined(separator: " ")])
          }
        }
      }
      model.count = 4000
      let queries: [EssayQuery] = [
        EssayQuery(included: [.init(word: "s0")]), EssayQuery(included: [.init(word: "s4000")]),
        EssayQuery(included: [.init(word: "s0"), .init(word: "s3999")]),
        EssayQuery(
          included: [.init(word: "s1"), .init(word: "s2")], excluded: [.init(word: "s0")]),
        EssayQuery(included: [.init(word: "s40", isPrefix: true), .init(word: "s3")]),
        EssayQuery(included: [.init(word: "s7")], excluded: [.init(word: "s1", isPrefix: true)]),
      ]
      for query in queries { model.compare(realm, query, "\(random)") }
      try store.check("\(random)")
      try realm.write {
        for id in 0..<4000 where id % 10 != 3 {
          if let essay = realm.object(ofType: Essay.self, forPrimaryKey: id) { realm.delete(essay) }
          model.texts[id] = nil
        }
        model.count = model.texts.count
        for query in queries { model.compare(realm, query, "\(random)") }
      }
      for query in queries { model.compare(realm, query, "\(random)") }
      try store.check("\(random)")
    }
  }

  /// Writes that share a transaction: the second one fails alone.
  @Test func failedNestedWriteLeavesIndex() async throws {
    try await withPatientStore { realm, store in
      try await realm.write { realm.addEssays(0..<1000) { "first \($0)" } }
      let results = try await grouped(
        realm, store,
        [
          { realm.addEssays(1000..<1020) { "second \($0)" } },
          {
            // Merges, and is then rolled back.
            realm.addEssays(2000..<2100) { "third \($0)" }
            realm.delete(realm.objects(Essay.self).where { $0.id < 500 })
            #expect(realm.objects(Essay.self).search("third", in: \.text).count == 100)
            #expect(realm.objects(Essay.self).search("first", in: \.text).count == 500)
            throw Cancelled()
          },
          {
            #expect(realm.objects(Essay.self).search("first", in: \.text).count == 1000)
            realm.addEssays(3000..<3010) { "fourth \($0)" }
          },
        ])
      let failures = results.filter { (try? $0.get()) == nil }
      #expect(failures.count == 1)
      let all = realm.objects(Essay.self)
      let counts = ["first", "second", "third", "fourth", "1005"].map {
        all.search($0, in: \.text).count
      }
      #expect(counts == [1000, 20, 0, 10, 1])
      try store.check()
    }
  }
}
