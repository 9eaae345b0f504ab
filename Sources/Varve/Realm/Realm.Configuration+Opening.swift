import Foundation
package import VarveCore

extension Realm.Configuration {
  /// The options that the core opens the file with.
  ///
  /// - Throws: `.fileAccess` for a URL that does not name a local file, `.invalidInput` for an
  ///   encryption key.
  func options() throws(Failure) -> StoreOptions {
    var options: StoreOptions
    if let inMemoryIdentifier {
      options = StoreOptions(path: inMemoryIdentifier, isInMemory: true)
    } else {
      options = StoreOptions(path: try fileURL?.pathOfLocalFile() ?? "")
      options.seedPath = try seedFilePath?.pathOfLocalFile()
      options.shouldCompact = shouldCompactOnLaunch
    }
    try Self.refuse(encryptionKey: encryptionKey, path: options.path)
    options.schemaVersion = isDynamic ? 0 : schemaVersion
    options.isReadOnly = readOnly
    options.checksOnOpening = checksOnOpening
    options.ignoresCommits = readOnly
    options.mapReservation = mapReservation
    options.writeTimeout = writeTimeout
    options.idleLimit = idleLimit
    options.maximumLag = maximumLag
    options.maximumLagBytes = Int64(clamping: maximumLagBytes)
    options.pinBudget = try pinBudget.core(options.path)
    options.maximumVersions = maximumNumberOfActiveVersions.map { UInt64($0) }
    options.logger = logger
    options.durability =
      switch durability {
      case .full: .full
      case .none: .none
      }
    return options
  }

  /// Throws for an encryption key: LMDB does not encrypt.
  static func refuse(encryptionKey: Data?, path: String) throws(Failure) {
    guard encryptionKey == nil else {
      throw Failure(
        .invalidInput, "Files cannot be encrypted: the encryption key must be nil.", path: path)
    }
  }

  /// Opens the store and registers the classes in it.
  ///
  /// `keeping`: whether the store stays open. Otherwise it is closed, unless it was opened
  /// elsewhere in the process. `watch`: follows a compaction and the copy of a seed file, and can
  /// stop the opening.
  /// - Throws: A failure, `.cancelled` when the opening was stopped, or an error of the migration
  ///   block. The store is then closed, unless it was opened elsewhere in the process.
  @discardableResult
  func openStore(keeping: Bool = true, watch: WorkWatch? = nil) throws -> Store {
    let store = try openFile(watch)
    do {
      try store.prepareSchema(
        classes, version: isDynamic ? nil : schemaVersion, watch,
        migrate: { [migrationBlock] core, oldVersion in
          let migration = Realm.Migration(core)
          try migrationBlock?(migration, oldVersion)
          migration.fillContents()
        })
    } catch {
      StoreRegistry.shared.endOpening(store, keeping: false)
      throw error
    }
    StoreRegistry.shared.endOpening(store, keeping: keeping)
    store.configuration = self
    box.set(store)
    return store
  }

  /// The listed classes of the configuration, or the compiled classes of the program.
  private var classes: ProgramClasses {
    if let objectTypes { return .listed(objectTypes.map { ClassInfo.of($0).description }) }
    if isDynamic { return .listed([]) }
    return .compiled { name in CompiledClasses.byName[name].map { ClassInfo.of($0).description } }
  }

  /// Begins to open the file. With `deleteRealmIfMigrationNeeded`, a file that would need a
  /// migration is replaced by a new one.
  private func openFile(_ watch: WorkWatch?) throws(Failure) -> Store {
    var options = try options()
    options.workWatch = watch
    let registry = StoreRegistry.shared
    let store = try registry.beginOpening(options)
    guard deleteRealmIfMigrationNeeded, !readOnly, !isDynamic else { return store }
    let schemaMismatch: Failure?
    do throws(Failure) {
      schemaMismatch = try store.schemaMismatch(of: classes, version: schemaVersion)
    } catch {
      registry.endOpening(store, keeping: false)
      throw error
    }
    guard let schemaMismatch else { return store }
    // Other users of the open file may need its contents.
    let isShared = registry.isShared(store)
    registry.endOpening(store, keeping: false)
    guard !isShared else { throw schemaMismatch }
    do throws(Failure) {
      _ = try registry.remove(options)
    } catch let failure where failure.code == .alreadyOpen {
      throw schemaMismatch
    }
    return try registry.beginOpening(options)
  }

  /// The store, if it is open.
  package var openedStore: Store? {
    if let store = box.open { return store }
    // A configuration that does not name a file is not open.
    return (try? options()).flatMap(StoreRegistry.shared.openStore)
  }
}
