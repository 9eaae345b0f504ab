import VarveStorage

extension Store {
  /// Writes a copy of the newest version to a new file; see `Environment.copy(to:observer:)`.
  package func copy(to path: String, watch: CopyWatch? = nil) throws(Failure) {
    try checkSound()
    try Failure.translating(try environment.copy(to: path, observer: watch?.observer))
  }
}
