/// Answers queries of members, also inside a write.
package protocol MemberEngine: Engine {
  /// Stores the first `count` members in one transaction.
  func insertMembers(_ count: Int) throws

  /// Calls the body with a reader of the committed version.
  func readMembers(_ body: (any MemberReader) throws -> Void) throws

  /// Begins a write, calls the body with a writer that can also read, and rolls the write back.
  func writeMembers(_ body: (any MemberWriter) throws -> Void) throws
}

/// Answers each query from scratch, with a query of the store if the engine has queries.
package protocol MemberReader {
  /// Answers a query.
  ///
  /// - Returns: The same result as ``MemberModel/answer(_:)``.
  /// - Throws: ``NotOffered`` if the engine does not support the query.
  func answer(_ question: MemberQuestion) throws -> [Int]
}

/// Changes members, and answers queries of their current values.
package protocol MemberWriter: MemberReader {
  /// Replaces the values of the existing member with the same id.
  func change(_ member: Member) throws
}
