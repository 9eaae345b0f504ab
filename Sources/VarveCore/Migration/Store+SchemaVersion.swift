import VarveStorage

extension Store {
  /// The schema version of a file, which is not opened: nothing is made or written.
  ///
  /// - Throws: `.fileNotFound`, `.invalidDatabase`, `.corrupted`, …
  package static func schemaVersion(path: String) throws(Failure) -> UInt64 {
    try Failure.translating(try RootRecord.read(path: path)).userSchemaVersion
  }
}
