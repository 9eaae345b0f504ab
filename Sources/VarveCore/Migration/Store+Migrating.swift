import Synchronization
import VarveEncoding
import VarveStorage

extension Store {
  /// Runs inside the transaction of a migration, with the version that the file had.
  package typealias MigrationBody = (SchemaMigration, _ oldVersion: UInt64) throws -> Void

  /// Brings the file to the schema of a configuration: compares or registers its classes, and migrates
  /// them when the file has a lower version.
  ///
  /// A new file has the version from its creation, and is not migrated. Of several processes that come at once one migrates;
  /// the others wait for the write lock, and find it done. A process knows one version of a file at a time: classes of
  /// another one would take what they do not know for missing, and add it.
  ///
  /// - Parameters:
  ///   - program: the classes of the configuration, or of the program.
  ///   - version: the version of the configuration; nil: the file is taken as it is.
  ///   - watch: what may stop it.
  ///   - migrate: what the program does between the schemas; nil: nothing.
  /// - Throws: `.schemaVersionTooLow`; `.cancelled`; `.alreadyOpen` when this process has the file open with another version;
  ///   `.alreadyInWriteTransaction` inside a write, when the file has another one; `.readOnly` for a file that would have
  ///   to be migrated; as ``register(atOpen:_:)``, or what `migrate` throws. The file then stays as it was,
  ///   unless the classes were registered before it was stopped.
  package func prepareSchema(
    _ program: ProgramClasses, version: UInt64?, _ watch: CopyWatch? = nil,
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
    _ program: ProgramClasses, ofVersion version: UInt64, _ watch: CopyWatch?,
    _ migrate: MigrationBody?
  ) throws {
    if let transaction = runningTransaction(for: nil) {
      // The file is what the write has made of it.
      guard transaction.storage.root.userSchemaVersion == version else {
        throw Failure(
          .alreadyInWriteTransaction, "A file is not migrated inside a write.",
          value: "\(version)", path: options.path)
      }
      return try register(atOpen: program)
    }
    let stored = try storedVersion()
    guard version != stored else { return try register(atOpen: program, watch) }
    guard stored < version else { throw versionTooLow(stored) }
    guard !options.isReadOnly else {
      throw Failure(
        .readOnly, "The file has an older schema version, and a read-only store is not migrated.",
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

  /// What stands against opening the file with these classes without a migration; nil when nothing does.
  ///
  /// - Throws: when the file cannot be read.
  package func schemaMismatch(
    of program: ProgramClasses, version: UInt64
  ) throws(Failure) -> Failure? {
    let stored = try storedVersion()
    guard stored <= version else { return versionTooLow(stored) }
    _ = try newestSnapshot()
    let conflicts = conflicts(with: Store.closure(of: program.models(in: schema)))
    return conflicts.isEmpty ? nil : .schemaMismatch(conflicts)
  }

  private func migrate(
    _ program: ProgramClasses, to version: UInt64, in transaction: Transaction,
    _ body: MigrationBody?
  ) throws {
    let stored = transaction.storage.root.userSchemaVersion
    // Another process was here first.
    if stored == version { return }
    guard stored < version else { throw versionTooLow(stored) }
    let migration = SchemaMigration(transaction, to: program)
    try body?(migration, stored)
    if let failure = transaction.failure { throw failure }
    try migration.finish(version: version)
  }

  /// The version that the newest version of the file has.
  private func storedVersion() throws(Failure) -> UInt64 {
    try checkSound()
    return try Failure.translating(try environment.snapshot()).root.userSchemaVersion
  }

  /// Takes a version as the one that this process knows.
  ///
  /// - Throws: `.alreadyOpen` when it knows another one.
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

  /// Takes back a claim of somebody who could not open the file.
  private func disclaimVersion() {
    versionClaim.withLock { claim in
      claim.count -= 1
      if claim.count == 0 { knownVersion.store(.max, ordering: .relaxed) }
    }
  }
}
