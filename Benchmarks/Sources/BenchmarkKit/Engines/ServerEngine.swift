/// Stores the issues of an issue tracker for a server, whose tasks read and write at once.
///
/// The store has an index of `status` and `updated` together, one of `updated`, and a full-text index of `body`. The
/// asynchronous calls come from several tasks at once; each sees what was committed before it.
package protocol ServerEngine: Engine {
  /// Stores the issues 1, 2, … in one transaction.
  ///
  /// - Parameter count: How many.
  /// - Throws: What the engine throws.
  func insertIssues(_ count: Int) throws

  /// Reads a whole issue by its id.
  ///
  /// - Parameter id: The issue.
  /// - Returns: Its values; nil when there is none.
  /// - Throws: What the engine throws.
  func issue(_ id: Int) async throws -> Issue?

  /// Reads the first page of the issues of a status, the last updated ones first.
  ///
  /// - Parameters:
  ///   - status: Their status.
  ///   - limit: How many there are at most.
  /// - Returns: Their values, in order.
  /// - Throws: What the engine throws.
  func newestIssues(ofStatus status: String, limit: Int) async throws -> [Issue]

  /// Changes an issue in a durable write of its own, or in one that writes of other tasks share.
  ///
  /// - Parameters:
  ///   - id: The issue.
  ///   - patch: What to change.
  /// - Returns: Whether there is such an issue.
  /// - Throws: What the engine throws.
  func patchIssue(_ id: Int, _ patch: IssuePatch) async throws -> Bool

  /// Stores a new issue under the next id, which is greater by one than the greatest that there is; written as
  /// ``patchIssue(_:_:)`` is.
  ///
  /// - Parameter issue: Its values but the id.
  /// - Returns: The id.
  /// - Throws: What the engine throws.
  func createIssue(_ issue: Issue) async throws -> Int

  /// The ids of all issues in ascending order; not part of any measured work.
  ///
  /// - Returns: The ids.
  /// - Throws: What the engine throws.
  func issueIDs() throws -> [Int]

  /// The ids of the issues whose body has a word, as the full-text index finds them, in ascending order; not part of any
  /// measured work.
  ///
  /// - Parameter word: The word.
  /// - Returns: The ids.
  /// - Throws: What the engine throws.
  func issueIDs(withWord word: String) throws -> [Int]
}
