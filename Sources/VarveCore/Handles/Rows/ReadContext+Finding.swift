package import VarveEncoding
import VarveStorage

/// The location of a found object, to which one handle is attached.
///
/// It owns the one reference to the context that the handle takes over: threads that share a
/// context, such as readers of one realm, contend for its reference count.
package struct FoundObject: ~Copyable {
  /// Retained once.
  private let context: Unmanaged<ReadContext>
  private let binding: Unmanaged<ClassBinding>
  private let id: UInt64
  private let row: UnsafeRawPointer?
  private let serial: UInt64

  init(
    _ context: ReadContext, _ binding: Unmanaged<ClassBinding>, _ id: UInt64,
    row: UnsafeRawPointer? = nil, serial: UInt64 = 0
  ) {
    self.context = .passRetained(context)
    self.binding = binding
    self.id = id
    self.row = row
    self.serial = serial
  }

  init(_ attachment: (context: ReadContext, binding: ClassBinding), _ id: UInt64) {
    self.init(attachment.context, .passUnretained(attachment.binding), id)
  }

  deinit { context.release() }

  /// Attaches a new handle to the object.
  package consuming func attach(_ handle: borrowing RowHandle) {
    handle.attach(toRetained: context, binding: binding, id: id, row: row, serial: serial)
    discard self
  }
}

extension ReadContext {
  /// Returns the object of ``findObject(_:primaryKey:)``, read through ``current``.
  package func findCurrentObject(
    _ model: Unmanaged<ClassDescription>, primaryKey value: Value
  ) -> FoundObject? {
    if let pin = hotPin, _slowPath(pin._withUnsafeGuaranteedRef { $0.isInvalidated }) {
      return current.findObject(model, primaryKey: value)
    }
    return findObject(model, primaryKey: value)
  }

  /// Finds an object by its primary key.
  ///
  /// The class and the store are not retained, because threads with views of their own share them.
  ///
  /// - Parameters:
  ///   - model: A class that exists as long as the process.
  ///   - value: The key.
  /// - Returns: Nil when there is no such object, or the class has no primary key.
  /// - Complexity: One lookup for an integer key, two for others.
  package func findObject(
    _ model: Unmanaged<ClassDescription>, primaryKey value: Value
  ) -> FoundObject? {
    if readsTransaction { return findInTransaction(model.takeUnretainedValue(), value) }
    let binding = bindingReference(for: model)
    guard let key = binding._withUnsafeGuaranteedRef({ $0.key }) else { return nil }
    if mustNoteRead { noteLookUp(model, value) }
    // Announced, not retained: all views of a version share its snapshot.
    let snapshot =
      hotFrozen ?? hotMoving.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.enter() }
    defer { if hotFrozen == nil { hotMoving?._withUnsafeGuaranteedRef { $0.exit() } } }
    let table = binding._withUnsafeGuaranteedRef { $0.table }
    guard
      let found = snapshot._withUnsafeGuaranteedRef({ findRow(table, key, value, $0) })
    else { return nil }
    let row = binding._withUnsafeGuaranteedRef { $0.rowAddress(found.bytes) }
    return FoundObject(self, binding, found.id, row: row, serial: found.serial)
  }

  @inline(__always)
  private func findRow(
    _ table: Table, _ key: KeyTraits, _ value: Value, _ snapshot: Snapshot
  ) -> (id: UInt64, bytes: UnsafeRawBufferPointer, serial: UInt64)? {
    guard let id = objectID(key, value, snapshot), let bytes = snapshot.find(table, id: id) else {
      return nil
    }
    return (id, bytes, snapshot.serial)
  }

  @inline(never)
  private func noteLookUp(_ model: Unmanaged<ClassDescription>, _ value: Value) {
    guard let tracking = noteUse() else { return }
    let model = model.takeUnretainedValue()
    tracking.note(
      .primaryKey(model: model.modelIndex, value), TrackedContent(model: model))
  }

  /// Returns the object that a link refers to.
  ///
  /// - Parameters:
  ///   - model: A class that exists as long as the process.
  ///   - id: The object's id.
  /// - Returns: The object, whether it exists or not; nil while the class is not in the file.
  package func linkedObject(_ model: Unmanaged<ClassDescription>, id: UInt64) -> FoundObject? {
    guard readsTransaction, let transaction else {
      let binding = bindingReference(for: model)
      guard binding._withUnsafeGuaranteedRef({ $0.isInFile }) else { return nil }
      return FoundObject(self, binding, id)
    }
    let description = model.takeUnretainedValue()
    guard transaction.readableBinding(for: description).isInFile else { return nil }
    return FoundObject(transaction.attachment(forObject: id, description, in: self), id)
  }

  /// Of model classes with the same name, from several modules, returns the one that the store is
  /// used with, or else the first that matches the stored schema.
  package func model(of models: [ClassDescription]) -> ClassDescription? {
    guard models.count > 1 else { return models.first }
    let transaction = transaction
    return models.first {
      store.isChecked($0.hash) || transaction?.classes.hasWritable($0) == true
    } ?? models.first { store.binding(for: $0).fits }
  }

  @inline(__always)
  private func bindingReference(
    for model: Unmanaged<ClassDescription>
  ) -> Unmanaged<ClassBinding> {
    hotStore._withUnsafeGuaranteedRef { store in
      model._withUnsafeGuaranteedRef { store.bindingReference(for: $0) }
    }
  }

  private func findInTransaction(_ model: ClassDescription, _ value: Value) -> FoundObject? {
    guard let transaction, let schema = transaction.readableBinding(for: model).schema else {
      return nil
    }
    let id = transaction.attemptReading { () throws(Failure) in
      try transaction.object(schema, primaryKey: value)
    }
    guard let id = id ?? nil else { return nil }
    return FoundObject(transaction.attachment(forObject: id, model, in: self), id)
  }

  @inline(__always)
  private func objectID(
    _ key: KeyTraits, _ value: Value, _ snapshot: Snapshot
  ) -> UInt64? {
    if key.isObjectID {
      guard case .int(let integer) = value else { return nil }
      return ObjectKey.objectID(forInteger: integer)
    }
    return indexedID(key, value, snapshot)
  }

  private func indexedID(_ key: KeyTraits, _ value: Value, _ snapshot: Snapshot) -> UInt64? {
    guard key.kind.accepts(value) else { return nil }
    do throws(Failure) {
      let fileKey = hotStore._withUnsafeGuaranteedRef { $0.fileKey }
      return try snapshot.uniqueObject(indexID: key.indexID, value, fileKey: fileKey)
    } catch {
      store.markDamaged(error.message)
      return nil
    }
  }
}

extension ReadContext {
  /// Whether no class has an object.
  ///
  /// - Complexity: O(classes).
  package var hasNoObjects: Bool {
    let reader = reader
    let schema = transaction?.schema ?? store.schema
    return schema.classes.allSatisfy { reader.count($0.table) == 0 }
  }
}
