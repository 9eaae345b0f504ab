import VarveEncoding
package import VarveStorage

/// The input of a query: a version, or the running write transaction of this thread, with its
/// classes.
///
/// Thread safety: not thread-safe, like its reader.
package struct ReadScope {
  package let reader: any TableReader
  let store: StoreFile
  /// The classes of the file.
  let file: FileSchema
  let stamp: VersionStamp
  /// Whether the version contains the indexes of the store's schema. False for a version from
  /// before the indexes were created.
  let hasIndexes: Bool
  /// Whether no object lacks a default of the classes. A version from before a property was added
  /// does not tell.
  private let hasAllDefaults: Bool
  /// Nil for a version.
  let transaction: FileEditor?

  package init(_ snapshot: Snapshot, of store: StoreFile, _ file: FileSchema? = nil) {
    reader = snapshot
    self.store = store
    self.file = file ?? store.schema
    stamp = VersionStamp(snapshot)
    hasIndexes = snapshot.root.schemaGeneration >= store.schemaGeneration
    hasAllDefaults = hasIndexes && snapshot.root.hasAllDefaults
    transaction = nil
  }

  /// Reads the changes that a transaction has written, but not the changes that are still in
  /// memory.
  package init(_ transaction: FileEditor, of store: StoreFile) {
    let reader = transaction.reader
    self.reader = reader
    self.store = store
    file = transaction.schema
    stamp = VersionStamp(transaction)
    // After an engine failure, the reader is the previous version.
    let snapshot = reader as? Snapshot
    hasIndexes = snapshot.map { $0.root.schemaGeneration >= store.schemaGeneration } ?? true
    hasAllDefaults = transaction.storage.root.hasAllDefaults && !transaction.leavesDefaults
    self.transaction = transaction
  }

  /// Whether rows and indexes may contain the mark of a missing default, which is read as null. The
  /// bytes of the property are then not compared.
  func mayContainMarks(_ property: StoredProperty) -> Bool {
    !hasAllDefaults && property.mayLackDefault
  }

  /// The editor that binds classes. Nil if the reader is a version, as it also is after an engine
  /// failure.
  private var binder: FileEditor? { reader is Snapshot ? nil : transaction }

  /// The class in this scope. Nil if the file does not contain it, or stores it with other types. A
  /// schema mismatch marks the running transaction as failed.
  func schema(of model: ClassDescription) -> ClassSchema? {
    if let binder { return binder.readableBinding(for: model).schema }
    return store.bindingReference(for: model)._withUnsafeGuaranteedRef { binding in
      // A generation has one schema; that of a write may be rolled back.
      if transaction == nil, binding.generation == file.generation { return binding.schema }
      return binding.mismatches.isEmpty ? file.schema(named: model.name) : nil
    }
  }

  /// The class with the stored counterparts of its properties.
  func binding(for model: ClassDescription) -> ClassBinding {
    binder?.readableBinding(for: model) ?? store.binding(for: model)
  }
}

/// Identifies a version, or the state of a running transaction.
package enum VersionStamp: Equatable, Sendable {
  case snapshot(UInt64)
  case transaction(UInt64, changes: UInt64)

  init(_ snapshot: Snapshot) { self = .snapshot(snapshot.serial) }

  init(_ transaction: FileEditor) {
    self = .transaction(transaction.serial, changes: transaction.changeCount)
  }
}
