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
/// Thread safety: none; the thread that runs the write uses it. What every operation touches is not
/// checked for exclusive access at run time: no operation calls back into another one.
package final class Transaction {
  package let store: Store
  let storage: WriteTransaction
  /// The version before the write.
  package let base: Snapshot
  /// Unique in the process; a new one after each nested transaction, so that what handles keep of
  /// the transaction's state ends with it.
  @exclusivity(unchecked) package private(set) var serial: UInt64
  @exclusivity(unchecked) package internal(set) var schema: FileSchema
  /// The first failure of an operation; the write throws it at its end.
  @exclusivity(unchecked) package internal(set) var failure: Failure?
  @exclusivity(unchecked) package private(set) var token: TransactionToken

  var rows: [RowKey: EditedRow] = [:]
  @exclusivity(unchecked) var lastRow: EditedRow?
  var changedFields: [RowKey: Set<UInt32>] = [:]
  var collections: [CollectionKey: EditedCollection] = [:]
  /// Changes whenever `collections` is emptied: handles that kept one of them look it up again.
  @exclusivity(unchecked) package private(set) var collectionsSerial: UInt64 = 0
  @exclusivity(unchecked) var appendPoints = AppendPoints()
  let scratchRow = RowBuffer(layout: RowLayout(id: 0, properties: []))
  var scratchKey = OrderedKey()
  var scratchValue = ByteBuffer()
  var bindings: [Int: ClassBinding] = [:]
  /// The binding asked for last.
  @exclusivity(unchecked) var lastBinding: ClassBinding?

  /// Class tables with ids up to this are open in this transaction.
  var openedTables: UInt32
  /// Models that were registered, or found compatible.
  var registered: [SchemaHash] = []
  /// Counts the changes, so that what was found before a change is found anew.
  @exclusivity(unchecked) package internal(set) var changeCount: UInt64 = 0
  /// Set once the engine has failed: from then on nothing reaches it.
  @exclusivity(unchecked) var hasLeftEngine = false
  /// What was deleted since then.
  var deletedInMemory: Set<RowKey> = []

  private struct Frame {
    let schema: FileSchema
    let token: TransactionToken
    let failure: Failure?
    let changedFields: [RowKey: Set<UInt32>]
    let registeredCount: Int
  }
  private var frames: [Frame] = []
  /// What the views that take part read.
  private var participants: [ViewPin] = []
  /// The view of `Realm()` inside the write, made when it is asked for. The transaction holds no other
  /// view: one that is dropped ends the write that was begun through it.
  private var ownView: View?
  @exclusivity(unchecked) private var createdContext: ReadContext?
  /// Whether a thread of the store is tied to the transaction.
  private var isTied = false
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

  /// Translates the engine's failures.
  func engine<R>(_ call: () throws(StorageError) -> R) throws(Failure) -> R {
    do throws(StorageError) {
      return try call()
    } catch {
      throw Failure(error)
    }
  }

  /// Has the engine change the file; after its failure there is nothing to change any more.
  @inline(__always)
  func change(_ call: () throws(StorageError) -> Void) throws(Failure) {
    guard _fastPath(!hasLeftEngine) else { return }
    try engine(call)
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
    guard !participants.contains(where: { $0 === view.pin }) else { return }
    participants.append(view.pin)
    _ = view.pin.moving.advance(to: base)
  }

  /// Moves every view that took part.
  func moveParticipants(to snapshot: Snapshot) {
    for pin in participants { _ = pin.moving.advance(to: snapshot) }
    participants.removeAll()
    createdContext = nil
    ownView = nil
  }

  /// Where reads inside the write go.
  package var reader: any TableReader { storage.failure == nil ? storage : base }

  /// The view of `Realm()` inside the write.
  package func writingView() -> View {
    if let ownView { return ownView }
    let view = View(store: store, snapshot: base)
    join(view)
    ownView = view
    return view
  }

  /// A context for handles to objects that this transaction created.
  package func contextForCreated(in view: View) -> ReadContext {
    if let createdContext, createdContext.view === view { return createdContext }
    let context = ReadContext(view: view, token: token)
    // Kept for the next object; but a write without a closure around it must not hold its view.
    if case .calling = engineThread { createdContext = context }
    return context
  }

  /// The context for a handle to an object that was found inside the write.
  package func context(
    forObject id: UInt64, table: Table, in context: ReadContext
  ) -> ReadContext {
    guard context.token !== token, let view = context.view else { return context }
    return base.find(table, id: id) == nil ? contextForCreated(in: view) : context
  }

  // MARK: Nesting

  /// Begins a nested transaction: one closure of a group of asynchronous writes.
  func beginNested() throws(Failure) {
    try flush()
    try openSpareTables()
    try engine { () throws(StorageError) in try storage.beginNested() }
    frames.append(
      Frame(
        schema: schema, token: token, failure: failure, changedFields: changedFields,
        registeredCount: registered.count))
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
    store.noteIDs(storage.root)
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
    changedFields = frame.changedFields
    registered.removeLast(registered.count - frame.registeredCount)
    // Ids that the rolled-back transaction gave out are not given out again.
    storage.prepareRoot(store.highestIDs.raise)
    forgetBindings()
    startFrame()
  }

  var isNested: Bool { !frames.isEmpty }

  /// Empties the collections held; they are written, or discarded.
  func forgetCollections() {
    collections.removeAll(keepingCapacity: true)
    collectionsSerial = Transaction.nextSerial()
  }

  /// Takes a collection out of what is held: it is deleted, and handles that kept it must not go on.
  func forgetCollection(_ key: CollectionKey) {
    guard collections.removeValue(forKey: key) != nil else { return }
    collectionsSerial = Transaction.nextSerial()
  }

  private func startFrame() {
    serial = Transaction.nextSerial()
    createdContext = nil
    appendPoints.removeAll()
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
      // Opened now, so that the next write need not change anything for it.
      if schema !== store.schema { try openSpareTables() }
      store.noteIDs(storage.root)
      untie()
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
    untie()
    engineThread.run { storage.abort() }
    token.settle(.rolledBack)
  }

  /// Ties the transaction to the calling thread.
  func tie() {
    isTied = true
    store.setRunning(self)
  }

  /// Unties the transaction, while it still has the write lock: whoever gets the lock next ties
  /// another one.
  private func untie() {
    guard isTied else { return }
    isTied = false
    store.setRunning(nil)
  }

  /// Writes changed list nodes, collection slots and rows, so that scans see them.
  func flush() throws(Failure) {
    guard !hasLeftEngine else { return }
    try flushCollections()
    try flushRows()
  }

  func discardEdits() {
    rows.removeAll()
    lastRow = nil
    forgetCollections()
    changedFields.removeAll()
  }

  // MARK: Classes

  /// The binding of a model class inside this transaction; registers the class when the file does
  /// not have it.
  package func binding(for model: ClassDescription) throws(Failure) -> ClassBinding {
    if let lastBinding, lastBinding.model === model { return lastBinding }
    if let binding = bindings[model.modelIndex] {
      lastBinding = binding
      return binding
    }
    if schema.schema(named: model.name) == nil || !store.isChecked(model.hash) {
      try register(model)
    }
    let binding = boundAnew(model)
    guard binding.fits else { throw binding.mismatch }
    bindings[model.modelIndex] = binding
    return binding
  }

  /// Has bindings made anew: the schema changed.
  func forgetBindings() {
    bindings.removeAll()
    lastBinding = nil
  }

  /// The binding of a model class; a class that the transaction does not know is left alone.
  ///
  /// One that does not fit the file dooms the transaction, and reads as empty.
  package func knownBinding(for model: ClassDescription) -> ClassBinding {
    if let binding = bindings[model.modelIndex] { return binding }
    let binding = boundAnew(model)
    if _slowPath(!binding.fits) { doom(binding.mismatch) }
    return binding
  }

  private func boundAnew(_ model: ClassDescription) -> ClassBinding {
    schema === store.schema
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
