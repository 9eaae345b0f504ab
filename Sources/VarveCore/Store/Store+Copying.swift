import VarveStorage

extension Store {
  /// Writes a copy of the newest version to a new file; see `Environment.copy(to:)`.
  package func copy(to path: String) throws(Failure) {
    try checkSound()
    do throws(StorageError) {
      try environment.copy(to: path)
    } catch {
      throw Failure(error)
    }
  }
}
