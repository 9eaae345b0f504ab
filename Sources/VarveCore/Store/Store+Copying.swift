import VarveStorage

extension Store {
  /// Writes a copy of the newest version to a new file. See `Environment.copy(to:observer:)`.
  ///
  /// - Throws: `.alreadyInWriteTransaction` on a thread inside a write transaction, because LMDB
  ///   may take its write lock for a moment.
  package func copy(to path: String, watch: WorkWatch? = nil) throws(Failure) {
    try checkSound()
    guard !isWritingThread else {
      throw Failure(
        .alreadyInWriteTransaction, "A copy cannot be made inside a write.", path: path)
    }
    try Failure.translating(try environment.copy(to: path, observer: watch?.observer))
  }
}
