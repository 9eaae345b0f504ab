/// The row of the queries inside writes. Each value exists once with an index and once without.
package struct Member: Equatable, Sendable {
  package let id: Int

  /// Distinct for each member and each revision, like names and scores.
  package let code: String
  package let name: String
  package let plainName: String

  /// The age, from 0 to 99.
  package let age: Int
  package let plainAge: Int

  /// A whole number below 2^52.
  package let score: Double
  package let plainScore: Double

  /// Another member. Each of the first tenth of the members is the mentor of about ten.
  package let mentor: Int

  let wordNumbers: [Int]

  /// Six words.
  package var words: String { wordNumbers.map(Issue.word).joined(separator: " ") }

  /// - Parameters:
  ///   - id: The id, starting at 0.
  ///   - count: The number of members.
  ///   - revision: The number of the change that sets these values; 0 for a new member.
  package init(id: Int, of count: Int, revision: Int = 0) {
    let bits = SplitMix.mix(UInt64(id) &+ UInt64(revision) << 40 &+ 1)
    self.id = id
    code = "code-" + Person.name(bits)
    name = Person.name(SplitMix.mix(bits &+ 2))
    plainName = name
    age = Int(bits % 100)
    plainAge = age
    score = Double(bits >> 12)
    plainScore = score
    mentor = Int(bits >> 8 % UInt64(max(1, count / 10)))
    wordNumbers = (0..<6).map { Int(SplitMix.mix(bits &+ 3 &+ $0) % 1000) }
  }
}

/// A query of members. Those with an `isIndexed` value use the indexed or the unindexed properties.
package enum MemberQuestion: Equatable, Sendable {
  /// The number of members and the sum of their unindexed ages. All members are materialized as
  /// objects or rows.
  case readAges
  /// The sum of the unindexed ages.
  case sumOfAges
  /// The number of older members.
  case olderCount(Int, isIndexed: Bool)
  /// The number of members of an age.
  case agedCount(Int, isIndexed: Bool)
  /// The number of members whose name has one of these prefixes.
  case prefixedCount([String], isIndexed: Bool)
  /// The number of members with one of these names.
  case namedCount([String])
  /// The ids of the members with the lowest scores, in the order of the scores.
  case lowest(Int, isIndexed: Bool)
  /// The id of the member with the highest score, read as the first of an order.
  case highest
  /// The highest id, read as the first of an order.
  case last
  /// The highest score, read as an aggregate.
  case greatestScore(isIndexed: Bool)
  /// The highest id, read as an aggregate.
  case greatestID
  /// The ids of the first 20 members with at least this score, in the order of the scores.
  case rangeInOrder(Double)
  /// The ids of the 20 members after a given one, in the order of the scores.
  case page(after: Int)
  /// The ids of the 20 members of an age that have the highest scores.
  case filteredPage(age: Int)
  /// The age of the member with an id.
  case member(id: Int)
  /// The id of the member with a code, which is unique.
  case coded(String)
  /// The ids of the members with a given mentor, in ascending order.
  case students(of: Int)
  /// The number of members whose text contains all of these words.
  case withWords([String])
  /// Parses and plans a query of ages and names. The answer is 1.
  case plan(age: Int)

  /// The number of ids on a page.
  package static let pageLength = 20
}
