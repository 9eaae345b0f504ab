/// The row of the questions that are asked inside of writes: each value is there with an index and without one.
package struct Member: Equatable, Sendable {
  package let id: Int

  /// Different for each member and each revision, as names and scores are.
  package let code: String
  package let name: String
  package let plainName: String

  /// From 0 to 99.
  package let age: Int
  package let plainAge: Int

  /// A whole number below 2^52.
  package let score: Double
  package let plainScore: Double

  /// Another member; each of the first tenth is the mentor of about ten.
  package let mentor: Int

  let wordNumbers: [Int]

  /// Six words.
  package var words: String { wordNumbers.map(Issue.word).joined(separator: " ") }

  /// - Parameters:
  ///   - id: From 0.
  ///   - count: How many members there are.
  ///   - revision: The number of the change that gave it these values; 0 for those of a new member.
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

/// A question about members. Those that say whether they are indexed ask the values that have indexes, or the others.
package enum MemberQuestion: Equatable, Sendable {
  /// How many members there are and the sum of their plain ages, all of which are made objects or rows.
  case readAges
  /// The sum of the plain ages.
  case sumOfAges
  /// How many are older.
  case olderCount(Int, isIndexed: Bool)
  /// How many have that age.
  case agedCount(Int, isIndexed: Bool)
  /// How many have a name with one of these prefixes.
  case prefixedCount([String], isIndexed: Bool)
  /// How many have one of these names.
  case namedCount([String])
  /// The ids of those with the lowest scores, in the order of the scores.
  case lowest(Int, isIndexed: Bool)
  /// The id of the member with the greatest score, as the first of an order.
  case highest
  /// The greatest id, as the first of an order.
  case last
  /// The greatest score as an aggregate.
  case greatestScore(isIndexed: Bool)
  /// The greatest id as an aggregate.
  case greatestID
  /// The ids of the first 20 with a score of at least this, in the order of the scores.
  case rangeInOrder(Double)
  /// The ids of the 20 that follow a member in the order of the scores.
  case page(after: Int)
  /// The ids of the 20 with that age that have the highest scores.
  case filteredPage(age: Int)
  /// The age of the member of an id.
  case member(id: Int)
  /// The id of the member of a code, which is unique.
  case coded(String)
  /// The ids of those whose mentor a member is, in ascending order.
  case students(of: Int)
  /// How many have all of these words.
  case withWords([String])
  /// Parses and plans a query about ages and names; 1.
  case plan(age: Int)

  /// How many ids a page has.
  package static let pageLength = 20
}
