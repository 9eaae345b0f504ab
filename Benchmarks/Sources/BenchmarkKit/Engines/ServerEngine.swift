/// Stores the issues of an issue tracker for a server, whose tasks read and write concurrently.
///
/// The store has an index of `status` and `updated` together, an index of `updated`, and a
/// full-text index of `body`. The asynchronous calls come from several tasks concurrently. Each
/// call sees everything committed before it.
package protocol ServerEngine: Engine {
  /// Stores the issues 1 to `count` in one transaction.
  func insertIssues(_ count: Int) throws

  /// Reads all values of an issue by id; nil when there is none.
  func issue(_ id: Int) async throws -> Issue?

  /// Reads the first page of the issues with a status, the most recently updated first.
  ///
  /// - Parameter limit: The maximum number of issues.
  func newestIssues(ofStatus status: String, limit: Int) async throws -> [Issue]

  /// Changes an issue in a separate durable write, or in one that is shared with writes of other
  /// tasks.
  ///
  /// - Returns: Whether the issue exists.
  func patchIssue(_ id: Int, _ patch: IssuePatch) async throws -> Bool

  /// Stores a new issue under the next id, which is the greatest existing id plus one. The write is
  /// like that of ``patchIssue(_:_:)``.
  ///
  /// - Parameter issue: The values. The id is ignored.
  /// - Returns: The id.
  func createIssue(_ issue: Issue) async throws -> Int

  /// The ids of all issues in ascending order. This is not part of any measured work.
  func issueIDs() throws -> [Int]

  /// The ids of the issues whose body contains a word, found by the full-text index, in ascending
  /// order. This is not part of any measured work.
  func issueIDs(withWord word: String) throws -> [Int]
}
