import Synchronization
import VarveEncoding
import VarveLocks
import VarveStorage

extension Store {
  /// A closure that runs inside the transaction of a migration, with the previous schema version of
  /// the file.
  package typealias MigrationBody = (SchemaMigration, _ oldVersion: UInt64) throws -> Void

  /// Updates the file to the schema of a configuration: compares or registers its classes, and
  /// migrates them if the file has a lower schema version.
  ///
  /// A new file has the schema version from its creation, and is not migrated. If several processes
  /// open the file concurrently, one of them migrates; the others wait for the write lock and find
  /// the migration completed. A process uses one schema version of a file at a time: classes of
  /// another version would treat unknown properties as missing, and add them.
  ///
  /// - Parameters:
  ///   - program: The classes of the configuration, or of the program.
  ///   - version: The schema version of the configuration. If nil, the file is opened with its
  ///     current version.
  ///   - watch: Can cancel the operation.
  ///   - migrate: The migration block, or nil for none.
  /// - Throws: `.schemaVersionTooLow`. `.cancelled`. `.alreadyOpen` if this process has opened the
  ///   file with another version. `.alreadyInWriteTransaction` inside a write transaction, if the
  ///   file has another version. `.readOnly` for a file that would have to be migrated. The errors
  ///   of ``register(atOpen:_:)`` and of `migrate`. The file is then unchanged, unless the classes
  ///   were registered before the operation was cancelled.
  package func prepareSchema(
    _ program: ProgramClasses, version: UInt64?, _ watch: WorkWatch? = nil,
    migrate: MigrationBody?
  ) throws {
    guard let version else {
      try register(atOpen: program, watch)
      try watch?.check(path: options.path)
      return
    }
    try claimVersion(version)
    do {
      try prepareSchema(program, ofVersion: version, watch, migrate)
      try watch?.check(path: options.path)
    } catch {
      disclaimVersion()
      throw error
    }
  }

  private func prepareSchema(
    _ program: ProgramClasses, ofVersion version: UInt64, _ watch: WorkWatch?,
    _ migrate: MigrationBody?
  ) throws {
    if let transaction = runningTransaction(for: nil) {
      // Inside a write transaction, the file has the schema version of that transaction.
      guard transaction.storage.root.userSchemaVersion == version else {
        throw Failure(
          .alreadyInWriteTransaction, "A file cannot be migrated inside a write transaction.",
          value: "\(version)", path: options.path)
      }
      return try register(atOpen: program)
    }
    let stored = try storedVersion()
    guard version != stored else { return try register(atOpen: program, watch) }
    guard stored < version else { throw versionTooLow(version, stored: stored) }
    guard !options.isReadOnly else {
      throw Failure(
        .readOnly,
        "The file has an older schema version, and a read-only store cannot be migrated.",
        value: "\(stored)", path: options.path)
    }
    let begin = ContinuousClock.now
    var old = version
    try write(view: nil, watch) { transaction in
      old = transaction.storage.root.userSchemaVersion
      try self.migrate(program, to: version, in: transaction, migrate)
      try watch?.check(path: self.options.path)
    }
    if old != version { logMigrated(from: old, to: version, .now - begin) }
    try register(atOpen: program, watch)
  }

  /// The reason why the file cannot be opened with these classes without a migration, or nil if it
  /// can.
  ///
  /// - Throws: An error if the file cannot be read.
  package func schemaMismatch(
    of program: ProgramClasses, version: UInt64
  ) throws(Failure) -> Failure? {
    let stored = try storedVersion()
    guard stored <= version else { return versionTooLow(version, stored: stored) }
    _ = try newestSnapshot()
    let conflicts = conflicts(with: Store.closure(of: program.models(in: schema)))
    return conflicts.isEmpty ? nil : .schemaMismatch(conflicts)
  }

  private func migrate(
    _ program: ProgramClasses, to version: UInt64, in transaction: Transaction,
    _ body: MigrationBody?
  ) throws {
    let stored = transaction.storage.root.userSchemaVersion
    // Another process has already migrated the file.
    if stored == version { return }
    guard stored < version else { throw versionTooLow(version, stored: stored) }
    let migration = SchemaMigration(transaction, to: program)
    try body?(migration, stored)
    if let failure = transaction.failure { throw failure }
    try migration.finish(version: version)
  }

  /// The schema version of the newest version of the file.
  private func storedVersion() throws(Failure) -> UInt64 {
    try checkSound()
    return try Failure.translating(try environment.snapshot()).root.userSchemaVersion
  }

  /// Claims a schema version for this process.
  ///
  /// - Throws: `.alreadyOpen` if the process uses another version.
  private func claimVersion(_ version: UInt64) throws(Failure) {
    let other = versionClaim.withLock { claim -> UInt64? in
      guard claim.count == 0 || claim.version == version else { return claim.version }
      claim = VersionClaim(version: version, count: claim.count + 1)
      knownVersion.store(version, ordering: .relaxed)
      return nil
    }
    guard let other else { return }
    throw Failure(
      .alreadyOpen, "This process has the file open with another schema version; close it first.",
      value: "\(other)", path: options.path)
  }

  /// Releases the claim of a caller that could not open the file.
  private func disclaimVersion() {
    versionClaim.withLock { claim in
      claim.count -= 1
      if claim.count == 0 { knownVersion.store(.max, ordering: .relaxed) }
    }
  }
}
