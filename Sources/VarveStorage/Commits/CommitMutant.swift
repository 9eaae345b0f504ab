/// Faults of the commit protocol, which the tests of power failures must find.
///
/// Not for programs: only a test process sets one, before it opens a store. Release builds contain
/// the mutants if VARVE_MUTANTS is set in the environment of the build.
package enum CommitMutant: String, Sendable {
  /// The pages of the list are not compared with their checksums.
  case listIsNotChecked
  /// Only one side of the meta page is marked.
  case markOnOneSide
  /// No commit is marked.
  case noMark
  /// A commit is marked after its meta page was written.
  case markAfterCommit
  /// The list and the meta page have separate checksums.
  case twoChecksums
  /// Every second commit ends before it was synchronized.
  case unlockedBeforeSync
  /// A commit is announced as durable before it was synchronized.
  case durableBeforeSync
  /// The list has no pages of the free list.
  case listWithoutFreeList

  #if VARVE_MUTANTS
    // Safe because it is set before the process opens a store, and never changes afterwards.
    nonisolated(unsafe) package static var current: CommitMutant?
  #else
    /// Always nil.
    package static var current: CommitMutant? {
      @inline(__always) get { nil }
      set { precondition(newValue == nil, "This build has no mutants: set VARVE_MUTANTS.") }
    }
  #endif
}
