import VarveStorage

extension Store {
  /// Reads the schema version of a file without opening it. Nothing is created or written.
  ///
  /// - Throws: `.fileNotFound`, `.invalidDatabase`, `.corrupted`, …
  package static func schemaVersion(path: String) throws(Failure) -> UInt64 {
    try Failure.translating(try RootRecord.read(path: path)).userSchemaVersion
  }
}
