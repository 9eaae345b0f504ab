import Synchronization
import VarveEncoding
package import VarveStorage

/// A write transaction: LMDB's, with the rows and list nodes that are being changed held in memory
/// until they are flushed, so that each is written once.
///
/// An operation that cannot be done *dooms* the transaction: the operation is skipped, the others go
/// on, and at the end the write throws the first failure and keeps nothing. After a failure of the
/// engine operations do nothing and reads give the state before the write.
///
/// Thread safety: none; the thread that runs the write uses it.
package final class Transaction {
  package let store: Store
  let storage: WriteTransaction
  /// The version before the write.
  package let base: Snapshot
  /// Unique in the process; a new one after each nested transaction, so that what handles keep of
  /// the transaction's state ends with it.
  package private(set) var serial: UInt64
  package internal(set) var schema: FileSchema
  /// The first failure of an operation; the write throws it at its end.
  package private(set) var failure: Failure?
  package private(set) var token: TransactionToken

  var rows: [RowKey: EditedRow] = [:]
  var lastRow: EditedRow?
  var changedFields: [RowKey: Set<UInt32>] = [:]
  var collections: [CollectionKey: EditedCollection] = [:]
  /// Changes whenever `collections` is emptied: handles that kept one of them look it up again.
  package private(set) var collectionsSerial: UInt64 = 0
  var highestIDs: [UInt32: UInt64] = [:]
  let scratchRow = RowBuffer(layout: RowLayout(id: 0, properties: []))
  var scratchKey = OrderedKey()
  var scratchValue = ByteBuffer()
  var bindings: [Int: ClassBinding] = [:]

  /// Class tables with ids up to this are open in this transaction.
  var openedTables: UInt32
  /// Models that were registered, or found compatible.
  var registered: [SchemaHash] = []
  /// Counts the changes, so that what was found before a change is found anew.
  package private(set) var changeCount: UInt64 = 0

  private struct Frame {
    let schema: FileSchema
    let token: TransactionToken
    let failure: Failure?
  }
  private var frames: [Frame] = []
  private var participants: [View] = []
  private var createdContext: ReadContext?
  private let engineThread: EngineThread

  private static let serials = Atomic<UInt64>(0)

  private static func nextSerial() -> UInt64 {
    serials.wrappingAdd(1, ordering: .relaxed).newValue
  }

  init(
    store: Store, storage: WriteTransaction, schema: FileSchema,
    engineThread: EngineThread = .calling
  ) {
    self.engineThread = engineThread
    self.store = store
    self.storage = storage
    self.schema = schema
    base = storage.base
    openedTables = storage.root.nextClassID + Store.spareClassTables
    serial = Transaction.nextSerial()
    collectionsSerial = Transaction.nextSerial()
    token = TransactionToken()
  }

  // MARK: Failures

  /// Notes a failure; the first one is what the write throws.
  package func doom(_ failure: Failure) {
    if self.failure == nil { self.failure = failure }
  }

  package var isDoomed: Bool { failure != nil }

  /// Runs one operation; what it throws dooms the transaction.
  ///
  /// - Returns: the operation's result, nil when it failed or the engine had failed before.
  @discardableResult
  package func attempt<R>(_ operation: () throws(Failure) -> R) -> R? {
    guard storage.failure == nil else {
      doomByEngine()
      return nil
    }
    changeCount += 1
    do throws(Failure) {
      return try operation()
    } catch {
      doom(error)
      return nil
    }
  }

  /// As ``attempt(_:)``, for an operation that changes nothing.
  package func attemptReading<R>(_ operation: () throws(Failure) -> R) -> R? {
    do throws(Failure) {
      return try operation()
    } catch {
      doom(error)
      return nil
    }
  }

  /// Takes over what the engine reported.
  private func doomByEngine() {
    if let failure = storage.failure { doom(Failure(failure)) }
  }

  /// Translates the engine's failures.
  func engine<R>(_ call: () throws(StorageError) -> R) throws(Failure) -> R {
    do throws(StorageError) {
      return try call()
    } catch {
      throw Failure(error)
    }
  }

  /// Translates failures of the format: bytes of the file that are not what they must be.
  func format<R>(_ call: () throws(FormatError) -> R) throws(Failure) -> R {
    do throws(FormatError) {
      return try call()
    } catch {
      throw Failure(error, message: "Stored bytes are damaged.")
    }
  }

  // MARK: Views

  /// A view takes part: it moved to the newest version when the write began, and moves with the
  /// commit.
  func join(_ view: View) {
    guard view.pin.lastTransaction.load(ordering: .relaxed) != serial else { return }
    view.pin.lastTransaction.store(serial, ordering: .relaxed)
    guard !participants.contains(where: { $0 === view }) else { return }
    participants.append(view)
    view.move(to: base)
  }

  /// Moves every view that took part.
  func moveParticipants(to snapshot: Snapshot) {
    for view in participants { view.move(to: snapshot) }
    participants.removeAll()
    createdContext = nil
  }

  /// Where reads inside the write go.
  package var reader: any TableReader { storage.failure == nil ? storage : base }

  /// The view that writes: the first that took part, or one made for the purpose.
  package func writingView() throws(Failure) -> View {
    if let view = participants.first { return view }
    let view = try store.makeView()
    join(view)
    return view
  }

  /// A context for handles to objects that this transaction created.
  package func contextForCreated(in view: View) -> ReadContext {
    if let createdContext, createdContext.view === view { return createdContext }
    let context = ReadContext(view: view, token: token)
    createdContext = context
    return context
  }

  /// The context for a handle to an object that was found inside the write.
  func context(forObject id: UInt64, table: Table, in context: ReadContext) -> ReadContext {
    guard context.token !== token, let view = context.view else { return context }
    return base.find(table, id: id) == nil ? contextForCreated(in: view) : context
  }

  // MARK: Nesting

  /// Begins a nested transaction: one closure of a group of asynchronous writes.
  func beginNested() throws(Failure) {
    try flush()
    try engine { () throws(StorageError) in try storage.beginNested() }
    frames.append(Frame(schema: schema, token: token, failure: failure))
    token = TransactionToken(outer: token)
    startFrame()
  }

  func commitNested() throws(Failure) {
    try flush()
    try engine { () throws(StorageError) in try storage.commitNested() }
    guard let frame = frames.popLast() else { return }
    token.settle(.committed)
    token = frame.token
    startFrame()
  }

  func abortNested() {
    discardEdits()
    do throws(StorageError) {
      try storage.abortNested()
    } catch {
      doom(Failure(error))
    }
    token.settle(.rolledBack)
    guard let frame = frames.popLast() else { return }
    schema = frame.schema
    token = frame.token
    failure = frame.failure
    bindings.removeAll()
    startFrame()
  }

  var isNested: Bool { !frames.isEmpty }

  /// Empties the collections held; they are written, or discarded.
  func forgetCollections() {
    collections.removeAll(keepingCapacity: true)
    collectionsSerial = Transaction.nextSerial()
  }

  private func startFrame() {
    serial = Transaction.nextSerial()
    createdContext = nil
    highestIDs.removeAll(keepingCapacity: true)
  }

  // MARK: Ending

  /// Writes what is held in memory and commits.
  ///
  /// - Returns: the snapshot of the new version.
  /// - Throws: the first failure of the transaction, which then keeps nothing.
  func commit() throws(Failure) -> Snapshot {
    do throws(Failure) {
      if let failure { throw failure }
      try flush()
      if let failure { throw failure }
      store.noteIDs(storage.root)
      let snapshot = try engineThread.run { () throws(Failure) in
        try engine { () throws(StorageError) in try storage.commit() }
      }
      token.settle(.committed)
      return snapshot
    } catch {
      abort()
      throw error
    }
  }

  /// Ends the transaction; nothing of it stays.
  func abort() {
    discardEdits()
    store.noteIDs(storage.root)
    engineThread.run { storage.abort() }
    token.settle(.rolledBack)
  }

  /// Writes changed list nodes, collection slots and rows, so that scans see them.
  func flush() throws(Failure) {
    try flushCollections()
    try flushRows()
  }

  private func discardEdits() {
    rows.removeAll()
    lastRow = nil
    forgetCollections()
    changedFields.removeAll()
  }

  // MARK: Classes

  /// The binding of a model class inside this transaction; registers the class when the file does
  /// not have it.
  package func binding(for model: ClassDescription) throws(Failure) -> ClassBinding {
    if let binding = bindings[model.modelIndex] { return binding }
    if schema.schema(named: model.name) == nil || !store.isChecked(model.hash) {
      try register(model)
    }
    let binding =
      schema === store.schema
      ? store.binding(for: model) : store.provisionalBinding(for: model, schema: schema)
    bindings[model.modelIndex] = binding
    return binding
  }

  /// The binding of a model class; a class that the transaction does not know is left alone.
  package func knownBinding(for model: ClassDescription) -> ClassBinding {
    if let binding = bindings[model.modelIndex] { return binding }
    return schema === store.schema
      ? store.binding(for: model) : store.provisionalBinding(for: model, schema: schema)
  }

  /// The stored class behind an id.
  func classSchema(_ id: UInt32) throws(Failure) -> ClassSchema {
    guard let found = schema.schema(ofClass: id) else {
      throw Failure(.corrupted, "A link names a class that the file does not have.")
    }
    return found
  }
}
