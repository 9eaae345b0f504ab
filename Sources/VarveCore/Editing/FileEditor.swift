import Synchronization
import VarveEncoding
package import VarveStorage

/// Changes the objects, collections, indexes and schema of a file in a write transaction of LMDB.
/// Changed rows and list nodes are buffered in memory until they are flushed, so that each is
/// written once.
///
/// An operation that fails marks the transaction as *failed*: the operation is skipped, later
/// operations continue, and at the end the write throws the first failure and is rolled back. After
/// a failure of the engine, operations do nothing and reads return the state before the write.
///
/// Thread safety: none; only the thread that runs the write uses it. The properties that every
/// operation accesses are not checked for exclusive access at run time: no operation calls back
/// into another one.
package class FileEditor {
  final let file: StoreFile
  final let writer: WriterState
  final let storage: WriteTransaction
  /// The version before the write.
  package final let base: Snapshot
  /// A number that is unique in the process and renewed after each nested transaction. State of the
  /// transaction that handles cached under another number is invalid.
  @exclusivity(unchecked) package final internal(set) var serial: UInt64
  @exclusivity(unchecked) package final internal(set) var schema: FileSchema {
    didSet { classes.noteNewSchema() }
  }
  /// The first failure of an operation. The write throws it at its end.
  @exclusivity(unchecked) package final internal(set) var failure: Failure? {
    didSet { failureFlag = failure != nil }
  }
  @exclusivity(unchecked) private final var failureFlag = false
  /// Whether there is a failure. Cheaper than reading `failure`.
  package final var hasFailure: Bool { failureFlag }
  /// The outcome of the transaction, or of the running nested one, as shared with the handles of
  /// objects created in it.
  @exclusivity(unchecked) package final internal(set) var outcome: TransactionOutcome
  /// The number of changes. Results that were cached before a change are invalid.
  @exclusivity(unchecked) package final internal(set) var changeCount: UInt64 = 0
  /// Whether the engine has failed. No further calls are made to it.
  @exclusivity(unchecked) final var hasLeftEngine = false
  /// The states that open nested transactions restore when they are rolled back.
  final var frames: [Frame] = []

  // MARK: Rows

  @exclusivity(unchecked) final var rows = BufferedRows()
  @exclusivity(unchecked) final var highestObjectIDs = HighestObjectIDs()
  /// The greatest ids generated, by class with generated keys. They include ids of deleted objects
  /// and of objects being created.
  @exclusivity(unchecked) final var generatedIDs = HighestObjectIDs()
  /// Embedded objects that the running operation has detached from their parents; empty between
  /// operations.
  @exclusivity(unchecked) final var orphans: Set<RowKey> = []
  /// Embedded objects that the running operation has attached to other embedded objects; empty
  /// between operations.
  @exclusivity(unchecked) final var nestedEmbedded: Set<RowKey> = []
  /// The objects deleted since the engine failed.
  final var deletedInMemory: Set<RowKey> = []
  final let scratchRow: RowBuffer
  @exclusivity(unchecked) final var scratchKey: OrderedKey
  @exclusivity(unchecked) final var scratchValue: ByteBuffer

  // MARK: Collections

  @exclusivity(unchecked) final var collections = CachedCollections()
  /// A number that changes whenever a collection that handles may have cached is released.
  package final var collectionsSerial: UInt64 { collections.serial }
  /// Nested collections that were detached and are to be removed.
  final var removedNested: [(CollectionKey, CollectionKind)] = []
  final let scratchLeaf: ListLeafBuffer
  final let scratchElements: RowElementsBuffer

  // MARK: Classes

  @exclusivity(unchecked) final var classes = BoundClasses()
  /// Class tables with ids up to this one are open in this transaction.
  final var openedTables: UInt32
  /// Models that were registered, or found compatible.
  final var registered: [SchemaHash] = []
  /// The classes whose defaults are evaluated to be registered.
  final var classifying: Set<Int> = []
  /// Whether objects were stored that may lack defaults.
  final var leavesDefaults = false
  /// The classes whose objects were given the defaults of added properties, by their ids.
  final var filledClasses: [UInt32: FilledClass] = [:]
  /// The classes of the program that were written, and whose objects may lack defaults.
  final var boundWithDefaults: [ClassDescription] = []

  private static let serials = Atomic<UInt64>(0)

  static func nextSerial() -> UInt64 {
    serials.wrappingAdd(1, ordering: .relaxed).newValue
  }

  init(_ storage: WriteTransaction, of file: StoreFile, _ writer: WriterState) {
    let scratch = writer.takeScratch()
    scratchRow = scratch.row
    scratchLeaf = scratch.leaf
    scratchElements = scratch.elements
    scratchKey = scratch.key
    scratchValue = scratch.value
    self.file = file
    self.writer = writer
    self.storage = storage
    schema = file.schema
    base = storage.base
    openedTables = storage.root.nextClassID + WriterState.spareClassTables
    serial = FileEditor.nextSerial()
    outcome = TransactionOutcome()
    rows.all = scratch.rows
    collections.all = scratch.collections
  }

  /// Passes the scratch buffers to the next write, while the write lock is held. Nothing is encoded
  /// afterwards.
  final func handOnScratch() {
    var scratch = ScratchBuffers(row: scratchRow, leaf: scratchLeaf, elements: scratchElements)
    Swift.swap(&scratch.key, &scratchKey)
    Swift.swap(&scratch.value, &scratchValue)
    Swift.swap(&scratch.rows, &rows.all)
    Swift.swap(&scratch.collections, &collections.all)
    writer.keepScratch(scratch)
  }

  /// Writes changed list nodes, collection slots and rows, so that scans see them.
  package final func flush() throws(Failure) {
    guard !hasLeftEngine else { return }
    try flushCollections()
    try flushRows()
  }

  final func discardEdits() {
    rows.removeAll()
    collections.removeAll()
  }

  /// The reader for reads inside the write.
  package final var reader: any TableReader { !storage.hasFailed ? storage : base }

  // MARK: Failures

  /// Calls the engine and translates its failures.
  final func engine<R>(_ call: () throws(StorageError) -> R) throws(Failure) -> R {
    try Failure.translating(try call())
  }

  /// Calls the engine to change the file. Does nothing after the engine has failed.
  @inline(__always)
  final func change(_ call: () throws(StorageError) -> Void) throws(Failure) {
    guard _fastPath(!hasLeftEngine) else { return }
    try engine(call)
  }

  /// Translates format errors, which indicate damaged bytes in the file.
  final func format<R>(_ call: () throws(FormatError) -> R) throws(Failure) -> R {
    try Failure.decoding("Stored bytes are damaged.", try call())
  }
}
