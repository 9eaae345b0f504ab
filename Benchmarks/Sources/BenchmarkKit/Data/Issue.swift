package import Foundation

/// An issue of an issue tracker, the row of the server workloads. Its words are computed from its
/// id or, for an issue that a request creates, from the number of the request.
package struct Issue: Codable, Equatable, Sendable {
  /// The id, starting at 1.
  package var id: Int
  package var title: String
  package var status: String
  package var assignee: String
  package var created: Date

  /// A whole second, distinct for each issue and each patch.
  package var updated: Date

  /// 30 to 50 words.
  package var body: String

  package init(
    id: Int, title: String, status: String, assignee: String, created: Date, updated: Date,
    body: String
  ) {
    self.id = id
    self.title = title
    self.status = status
    self.assignee = assignee
    self.created = created
    self.updated = updated
    self.body = body
  }

  /// Creates the issue that the store has under an id before the server starts.
  package init(id: Int) {
    self.init(id: id, bits: SplitMix.mix(0xF5 &+ UInt64(id)), second: id, prefix: "")
  }

  /// Creates the issue of a request. The store assigns its id.
  ///
  /// - Parameter number: A number that is distinct for each request.
  package init(created number: Int) {
    self.init(
      id: 0, bits: SplitMix.mix(0xC0FFEE &+ UInt64(number)), second: 100_000_000 + number,
      prefix: Self.markerOfCreated + " ")
  }

  private init(id: Int, bits: UInt64, second: Int, prefix: String) {
    var random = SplitMix(seed: bits)
    let date = Self.date(second)
    self.init(
      id: id, title: Self.text(4, &random), status: Self.statuses[Int(bits % 4)],
      assignee: Self.word(Int(bits >> 8 % 200)), created: date, updated: date,
      body: prefix + Self.text(30 + Int(bits >> 20 % 21), &random))
  }

  /// Applies a patch.
  package mutating func apply(_ patch: IssuePatch) {
    title = patch.title
    status = patch.status
    updated = patch.updated
  }

  package static let statuses = ["open", "in progress", "waiting", "closed"]

  /// A word that occurs only in the bodies of created issues.
  package static let markerOfCreated = "newlycreated"

  fileprivate static func date(_ second: Int) -> Date {
    Date(timeIntervalSince1970: 1_500_000_000 + Double(second))
  }

  /// One of 4,096 words of six letters.
  package static func word(_ index: Int) -> String {
    syllables[index >> 8 & 15] + syllables[index >> 4 & 15] + syllables[index & 15]
  }

  /// Words with a skewed frequency: the first of 4,096 is one word in sixteen.
  fileprivate static func text(_ count: Int, _ random: inout SplitMix) -> String {
    (0..<count).map { _ in
      let fraction = Double.random(in: 0..<1, using: &random)
      return word(Int(4096 * fraction * fraction * fraction))
    }.joined(separator: " ")
  }

  private static let syllables = [
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va",
  ]
}

/// The changes that a request makes to an issue.
package struct IssuePatch: Codable, Equatable, Sendable {
  package var title: String
  package var status: String
  package var updated: Date

  /// - Parameter number: A number that is distinct for each request.
  package init(number: Int) {
    let bits = SplitMix.mix(0xABCD &+ UInt64(number))
    var random = SplitMix(seed: bits)
    title = Issue.text(4, &random)
    status = Issue.statuses[Int(bits % 4)]
    updated = Issue.date(200_000_000 + number)
  }
}
