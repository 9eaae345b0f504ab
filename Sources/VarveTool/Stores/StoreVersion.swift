import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

/// One version of a store, read by a command without models.
///
/// Thread safety: use it from one thread.
struct StoreVersion {
  let store: Store
  let snapshot: Snapshot
  let schema: FileSchema

  /// The input of queries.
  let scope: ReadScope

  /// Opens a store for reading only, and closes it after `body`. No store is created, and writers are
  /// not blocked.
  ///
  /// - Parameters:
  ///   - path: The data file.
  ///   - body: A closure that receives the newest version.
  /// - Throws: ``ToolError`` for a file that does not exist, cannot be read, or is not a store, and
  ///   for the errors of stores that `body` throws; any other error thrown by `body`.
  static func read<R>(_ path: String, _ body: (StoreVersion) throws -> R) throws -> R {
    try ToolError.translating {
      var options = StoreOptions(path: path)
      options.isReadOnly = true
      let store = try Store(options: options)
      let result = Result { try body(try StoreVersion(newestOf: store)) }
      try store.close()
      return try result.get()
    }
  }

  private init(newestOf store: Store) throws(Failure) {
    self.store = store
    snapshot = try store.newestSnapshot()
    schema = try FileSchema.load(from: snapshot, snapshot.root)
    scope = ReadScope(snapshot, of: store, schema)
  }

  /// Throws if a damaged page was met. Cursors and queries end there.
  ///
  /// - Throws: `.corrupted`.
  func requireUndamaged() throws(Failure) {
    if let damage = snapshot.environment.damageError { throw Failure(damage) }
  }
}

extension FileSchema {
  /// Returns the class with a name.
  ///
  /// - Throws: ``ToolError`` with the names of the classes.
  func requireClass(_ name: String) throws(ToolError) -> ClassSchema {
    if let schema = schema(named: name) { return schema }
    let names = classesByName.map(\.name.printable)
    throw ToolError(
      "The store has no such class.\n  \(name.printable)\n  classes: "
        + (names.isEmpty ? "none" : names.joined(separator: ", ")))
  }
}

extension ClassSchema {
  /// Returns the property with a name.
  ///
  /// - Throws: ``ToolError`` with the names of the properties.
  func requireProperty(_ name: String) throws(ToolError) -> StoredProperty {
    if let property = property(named: name) { return property }
    throw ToolError(
      "The class has no such property.\n  \(self.name.printable).\(name.printable)\n  properties: "
        + properties.map(\.name.printable).joined(separator: ", "))
  }
}
