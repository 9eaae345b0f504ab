/// Answers questions about members, inside of a write too.
package protocol MemberEngine: Engine {
  /// Stores the members 0, 1, … in one transaction.
  ///
  /// - Parameter count: How many.
  /// - Throws: What the engine throws.
  func insertMembers(_ count: Int) throws

  /// Lends a reader of what is committed.
  ///
  /// - Parameter body: Asks it.
  /// - Throws: What the body and the engine throw.
  func readMembers(_ body: (any MemberReader) throws -> Void) throws

  /// Begins a write, lends what writes and reads in it, and rolls it back.
  ///
  /// - Parameter body: Changes members and asks about them.
  /// - Throws: What the body and the engine throw.
  func writeMembers(_ body: (any MemberWriter) throws -> Void) throws
}

/// Answers each question anew, as a query where the engine has queries.
package protocol MemberReader {
  /// Answers a question.
  ///
  /// - Parameter question: About the members.
  /// - Returns: What ``MemberModel/answer(_:)`` gives.
  /// - Throws: ``NotOffered``; what the engine throws.
  func answer(_ question: MemberQuestion) throws -> [Int]
}

/// Changes members, and answers questions about them as they are by then.
package protocol MemberWriter: MemberReader {
  /// Gives a member other values.
  ///
  /// - Parameter member: The values, and the id of a member that is there.
  /// - Throws: What the engine throws.
  func change(_ member: Member) throws
}
