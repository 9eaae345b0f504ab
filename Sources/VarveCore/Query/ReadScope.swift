import VarveEncoding
package import VarveStorage

/// What a query reads: a version, or the running transaction of this thread, with the classes of the file as it has them.
///
/// Thread safety: one thread at a time, as the reader.
package struct ReadScope {
  package let reader: any TableReader
  let store: StoreFile
  /// The classes of the file.
  let file: FileSchema
  let stamp: VersionStamp
  /// Whether what is read has the indexes that the store's schema names, and is not a version from before they were made.
  let hasIndexes: Bool
  /// Nil for a version.
  let transaction: FileEditor?

  package init(_ snapshot: Snapshot, of store: StoreFile, _ file: FileSchema? = nil) {
    reader = snapshot
    self.store = store
    self.file = file ?? store.schema
    stamp = VersionStamp(snapshot)
    hasIndexes = snapshot.root.schemaGeneration >= store.schemaGeneration
    transaction = nil
  }

  /// What a transaction has written; not what it holds in memory.
  init(_ transaction: FileEditor, of store: StoreFile) {
    let reader = transaction.reader
    self.reader = reader
    self.store = store
    file = transaction.schema
    stamp = VersionStamp(transaction)
    // After a failure of the engine the version before is read.
    let snapshot = reader as? Snapshot
    hasIndexes = snapshot.map { $0.root.schemaGeneration >= store.schemaGeneration } ?? true
    self.transaction = transaction
  }

  /// What binds classes; nil for a version, which is read after a failure of the engine too.
  private var binder: FileEditor? { reader is Snapshot ? nil : transaction }

  /// A class as it is read here: nil when the file does not know it, or stores it with other types. The latter dooms the
  /// running transaction.
  func schema(of model: ClassDescription) -> ClassSchema? {
    if let binder { return binder.knownBinding(for: model).schema }
    return store.binding(for: model).mismatches.isEmpty ? file.schema(named: model.name) : nil
  }

  /// A class with those of its properties that the file stores.
  func binding(for model: ClassDescription) -> ClassBinding {
    binder?.knownBinding(for: model) ?? store.binding(for: model)
  }
}

/// A version, or the state of a running transaction.
package enum VersionStamp: Equatable, Sendable {
  case snapshot(UInt64)
  case transaction(UInt64, changes: UInt64)

  init(_ snapshot: Snapshot) { self = .snapshot(snapshot.serial) }

  init(_ transaction: FileEditor) {
    self = .transaction(transaction.serial, changes: transaction.changeCount)
  }
}
