import Foundation
import Testing
import Varve
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

@Model final class Essay: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(fullText: true) var text: String?
  @Persisted var number = 0
}

/// A query of words, and of prefixes of words.
struct EssayQuery: CustomStringConvertible {
  struct Term: Hashable {
    var word: String
    var isPrefix = false

    func count(in words: [String]) -> Int {
      words.count { isPrefix ? $0.hasPrefix(word) : $0 == word }
    }
  }

  let included: [Term]
  let excluded: [Term]

  /// Terms that occur several times count once.
  init(included: [Term], excluded: [Term] = []) {
    self.included = Set(included).sorted { $0.word < $1.word }
    self.excluded = excluded
  }

  var description: String {
    let terms = included.map { ("", $0) } + excluded.map { ("-", $0) }
    return terms.map { "\($0)\($1.word)\($1.isPrefix ? "*" : "")" }.joined(separator: " ")
  }
}

/// The words of texts by the id of their essay, and what a full-text index must answer.
struct EssayModel {
  var texts: [Int: [String]] = [:]
  /// The number of essays, with those without words.
  var count = 0

  /// The ids and the ranks of the essays that match a query.
  func matches(_ query: EssayQuery) -> [Int: Double] {
    let weights = query.included.map { term in
      log(1 + Double(count) / Double(max(1, texts.values.count { term.count(in: $0) > 0 })))
    }
    var ranks: [Int: Double] = [:]
    for (id, words) in texts {
      let counts = query.included.map { $0.count(in: words) }
      guard !counts.contains(0), !query.excluded.contains(where: { $0.count(in: words) > 0 }) else {
        continue
      }
      ranks[id] = zip(counts, weights).reduce(0) { $0 + Double($1.0) * $1.1 }
    }
    return ranks
  }

  /// Compares a search and a query with the model.
  func compare(
    _ realm: Realm, _ query: EssayQuery, _ comment: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = matches(query)
    let essays = realm.objects(Essay.self)
    let hits = essays.search(query.description, in: \.text)
    let found = essays.where { $0.text.fullTextSearch(query.description) }.map(\.id)
    #expect(
      found == expected.keys.sorted(), "\(query), \(comment)", sourceLocation: sourceLocation)
    #expect(
      hits.map(\.object.id).sorted() == found, "\(query), \(comment)",
      sourceLocation: sourceLocation)
    let wrong = hits.filter { abs($0.rank - (expected[$0.object.id] ?? 0)) > 1e-9 * $0.rank }
    #expect(wrong.isEmpty, "\(query), \(comment)", sourceLocation: sourceLocation)
    let order = zip(hits, hits.dropFirst()).allSatisfy {
      $0.rank > $1.rank || ($0.rank == $1.rank && $0.object.id < $1.object.id)
    }
    #expect(order, "\(query), \(comment)", sourceLocation: sourceLocation)
    let first = essays.search(query.description, in: \.text, limit: 5)
    #expect(
      first.map(\.object.id) == hits.prefix(5).map(\.object.id), "\(query), \(comment)",
      sourceLocation: sourceLocation)
  }
}

/// A stored block of a full-text index.
struct StoredPostings {
  var word: String
  var ids: [UInt64]
  var byteCount: Int
}

extension TemporaryRealm {
  /// The id of the full-text index of a class.
  func textIndexID(_ className: String = "Essay") throws -> UInt32 {
    let snapshot = try configuration.store().newestSnapshot()
    let schema = try FileSchema.load(from: snapshot, snapshot.root).schema(named: className)
    return try #require(schema?.indexes.first { $0.kind == .fullText }).id
  }

  /// The blocks of a full-text index, and the number of its pending texts.
  func textBlocks(
    _ className: String = "Essay"
  ) throws -> (blocks: [StoredPostings], pendingCount: Int) {
    let id = try textIndexID(className)
    var cursor = try configuration.store().newestSnapshot().cursor(.indexes)
    var blocks: [StoredPostings] = []
    var pendingCount = 0
    while cursor.next() {
      let (key, value) = (cursor.key, cursor.value)
      guard PostingKey.indexID(of: key) == id else { continue }
      guard !PostingKey.isPending(key) else {
        if try PostingKey.decodePending(key) != nil { pendingCount += 1 }
        continue
      }
      let (word, firstID) = try PostingKey.decodeBlock(key)
      var postings: [Posting] = []
      try PostingBlock(firstID: firstID, validating: value).append(to: &postings)
      blocks.append(
        StoredPostings(
          word: String(decoding: word, as: UTF8.self), ids: postings.map(\.id),
          byteCount: value.count))
    }
    return (blocks, pendingCount)
  }
}

extension Realm {
  /// Adds essays with a text in a write.
  func addEssays(_ ids: some Sequence<Int>, _ text: (Int) -> String) {
    for id in ids { create(Essay.self, value: ["id": id, "text": text(id)]) }
  }
}
