import Synchronization
import VarveEncoding
import VarveStorage

extension Store {
  /// Runs inside the transaction of a migration, with the version that the file had.
  package typealias MigrationBody = (SchemaMigration, _ oldVersion: UInt64) throws -> Void

  /// Brings the file to the schema of a configuration: registers its classes, and migrates them when the file has
  /// a lower version.
  ///
  /// A file without classes gets the version without a migration. Of several processes that come at once one migrates;
  /// the others wait for the write lock, and find it done.
  ///
  /// - Parameters:
  ///   - models: the classes of the configuration.
  ///   - version: the version of the configuration; nil: the file is taken as it is.
  ///   - migrate: what the program does between the schemas; nil: nothing.
  /// - Throws: `.schemaVersionTooLow`, `.readOnly` for a file that would have to be migrated, as
  ///   ``register(atOpen:)``, or what `migrate` throws. The file then stays as it was.
  package func prepareSchema(
    _ models: [ClassDescription], version: UInt64?, migrate: MigrationBody?
  ) throws {
    // Inside a write of this thread the file is what the write has made of it.
    guard !isWritingThread else { return try register(atOpen: models) }
    let stored = try storedVersion()
    knowVersion(version ?? stored)
    guard let version, version != stored else { return try register(atOpen: models) }
    guard stored < version else { throw versionTooLow(stored) }
    guard !options.isReadOnly else {
      throw Failure(
        .readOnly, "The file has an older schema version, and a read-only store is not migrated.",
        value: "\(stored)", path: options.path)
    }
    try write(view: nil) { transaction in
      try self.migrate(models, to: version, in: transaction, migrate)
    }
    try register(atOpen: models)
  }

  /// What stands against opening the file with these classes without a migration; nil when nothing does.
  ///
  /// - Throws: when the file cannot be read.
  package func misfit(
    of models: [ClassDescription], version: UInt64
  ) throws(Failure) -> Failure? {
    let stored = try storedVersion()
    guard stored <= version else { return versionTooLow(stored) }
    _ = try newestSnapshot()
    let conflicts = conflicts(with: Store.closure(of: models))
    return conflicts.isEmpty ? nil : .schemaMismatch(conflicts)
  }

  private func migrate(
    _ models: [ClassDescription], to version: UInt64, in transaction: Transaction,
    _ body: MigrationBody?
  ) throws {
    let stored = transaction.storage.root.userSchemaVersion
    // Another process was here first.
    if stored == version { return }
    guard stored < version else { throw versionTooLow(stored) }
    let migration = SchemaMigration(transaction, to: models)
    if !transaction.schema.classes.isEmpty { try body?(migration, stored) }
    if let failure = transaction.failure { throw failure }
    try migration.finish(version: version)
  }

  /// The version that the newest version of the file has.
  private func storedVersion() throws(Failure) -> UInt64 {
    try checkSound()
    return try Failure.translating(try environment.snapshot()).root.userSchemaVersion
  }

  /// Notes that programs of this process know a schema version.
  private func knowVersion(_ version: UInt64) {
    while true {
      let known = knownVersion.load(ordering: .relaxed)
      guard known == .max || known < version else { return }
      if knownVersion.compareExchange(expected: known, desired: version, ordering: .relaxed)
        .exchanged
      {
        return
      }
    }
  }

  /// Refuses a file that another process has migrated to a version which programs of this one do not know: they would
  /// read the old properties as if nothing were stored, and store them anew.
  func checkVersion(_ root: RootRecord) throws(Failure) {
    guard root.userSchemaVersion > knownVersion.load(ordering: .relaxed) else { return }
    throw versionTooLow(root.userSchemaVersion)
  }

  private func versionTooLow(_ stored: UInt64) -> Failure {
    Failure(
      .schemaVersionTooLow, "The file has a newer schema version than the configuration.",
      value: "\(stored)", path: options.path)
  }
}
