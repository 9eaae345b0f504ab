import VarveCore
extension Realm.Error.Code {
  /// A file operation failed.
  public static let fileAccess = Self(.fileAccess)
  /// A file operation failed; the same as ``fileAccess``.
  public static let fileOperationFailed = Self(.fileAccess)
  /// The user has no permission to use the file or its directory.
  public static let filePermissionDenied = Self(.filePermissionDenied)
  /// The file exists already.
  public static let fileExists = Self(.fileExists)
  /// The file or its directory does not exist.
  public static let fileNotFound = Self(.fileNotFound)
  /// The file is not a Varve file.
  public static let invalidDatabase = Self(.invalidDatabase)
  /// Data in the file is damaged.
  public static let corrupted = Self(.corrupted)
  /// The file was made by a newer version of the library.
  public static let unsupportedFileFormatVersion = Self(.unsupportedFileFormatVersion)
  /// The process has no address space left for the file.
  public static let addressSpaceExhausted = Self(.addressSpaceExhausted)
  /// The disk is full.
  public static let outOfDiskSpace = Self(.outOfDiskSpace)
  /// The transaction outgrew the memory map; the next transaction has a larger map.
  public static let mapFull = Self(.mapFull)
  /// All slots of the reader table are in use: too many versions are pinned.
  public static let readersFull = Self(.readersFull)
  /// The number of versions, from the oldest that is pinned to the newest, exceeds
  /// ``Realm/Configuration/maximumNumberOfActiveVersions``.
  public static let tooManyVersions = Self(.tooManyVersions)
  /// A pinned version exceeds ``Realm/Configuration/pinBudget``; see ``Realm/Error/details``.
  public static let pinBudgetExceeded = Self(.pinBudgetExceeded)
  /// The write lock was not free within the timeout.
  public static let busy = Self(.busy)
  /// The write was cancelled by ``Realm/cancelWrite()``. A cancelled task gets `CancellationError`.
  public static let cancelled = Self(.cancelled)
  /// The process is a fork of the process that opened the file.
  public static let forked = Self(.forked)
  /// The store was closed, or a commit failed.
  public static let closed = Self(.closed)
  /// The file is already open, with incompatible options or for an operation that requires it to be
  /// closed.
  public static let alreadyOpen = Self(.alreadyOpen)
  /// Another process with the same process id, in another PID namespace, has the file open.
  ///
  /// Containers that share a store must share a PID namespace, or run their processes with
  /// different ids.
  public static let processIDInUse = Self(.processIDInUse)
  /// A commit could not be synchronized, so that its outcome is unknown.
  ///
  /// Reads continue with the version before. All writes throw this error until every process has
  /// closed the store; the next opening takes the commit back.
  public static let syncFailed = Self(.syncFailed)
  /// Other users could replace the files in the directory.
  public static let directoryUnsafe = Self(.directoryUnsafe)
  /// The installed liblmdb, or the one that created the file, is not supported. Versions 0.9.24 to
  /// 0.9.69 are.
  public static let unsupportedLibrary = Self(.unsupportedLibrary)
  /// The model differs from the file in ways that need a migration; see ``Realm/Error/details``.
  public static let schemaMismatch = Self(.schemaMismatch)
  /// The model declarations are invalid, or the file has too many classes; see
  /// ``Realm/Error/details``.
  public static let invalidSchema = Self(.invalidSchema)
  /// The file's schema version is higher than the configuration's.
  public static let schemaVersionTooLow = Self(.schemaVersionTooLow)
  /// The store was opened read-only.
  public static let readOnly = Self(.readOnly)
  /// The operation needs a write transaction.
  public static let notInWriteTransaction = Self(.notInWriteTransaction)
  /// The thread is already inside a write transaction of the store.
  public static let alreadyInWriteTransaction = Self(.alreadyInWriteTransaction)
  /// A frozen realm, object or collection cannot be changed.
  public static let frozen = Self(.frozen)
  /// The object is not managed.
  public static let unmanaged = Self(.unmanaged)
  /// An argument, an option or a value is invalid.
  public static let invalidInput = Self(.invalidInput)
  /// The type of the value differs from the type of the property.
  public static let typeMismatch = Self(.typeMismatch)
  /// Null was given for a value that cannot be null.
  public static let missingValue = Self(.missingValue)
  /// The file has no such class.
  public static let unknownClass = Self(.unknownClass)
  /// The class has no such property.
  public static let unknownProperty = Self(.unknownProperty)
  /// An object with the primary key exists already.
  public static let duplicatePrimaryKey = Self(.duplicatePrimaryKey)
  /// Another object has the same values of a unique index.
  public static let duplicateValue = Self(.duplicateValue)
  /// The class has no primary key.
  public static let noPrimaryKey = Self(.noPrimaryKey)
  /// The primary key of a stored object cannot be changed.
  public static let primaryKeyChanged = Self(.primaryKeyChanged)
  /// A dictionary key contains `.` or starts with `$`.
  public static let invalidKey = Self(.invalidKey)
  /// The cursor belongs to results of another class or order.
  public static let invalidCursor = Self(.invalidCursor)
  /// The index is out of bounds.
  public static let indexOutOfBounds = Self(.indexOutOfBounds)
  /// The value is too large to store, or no generated primary keys are left for the type.
  public static let valueTooLarge = Self(.valueTooLarge)
  /// The object was deleted or invalidated.
  public static let invalidatedObject = Self(.invalidatedObject)
  /// The object belongs to another store.
  public static let foreignObject = Self(.foreignObject)
  /// The embedded object already belongs to another parent or property.
  public static let alreadyEmbedded = Self(.alreadyEmbedded)
  /// An earlier failure of the storage engine ended the transaction.
  public static let damagedTransaction = Self(.damagedTransaction)
  /// Another failure.
  public static let fail = Self(.fail)
}

// The codes of the Realm SDK, spelled as there: `catch Realm.Error.fileNotFound`.
extension Realm.Error {
  /// Another failure.
  public static let fail = Code.fail
  /// A file operation failed.
  public static let fileAccess = Code.fileAccess
  /// A file operation failed.
  public static let fileOperationFailed = Code.fileOperationFailed
  /// The user has no permission to use the file or its directory.
  public static let filePermissionDenied = Code.filePermissionDenied
  /// The file exists already.
  public static let fileExists = Code.fileExists
  /// The file or its directory does not exist.
  public static let fileNotFound = Code.fileNotFound
  /// The file is not a Varve file.
  public static let invalidDatabase = Code.invalidDatabase
  /// The file was made by a newer version of the library.
  public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
  /// The process has no address space left for the file.
  public static let addressSpaceExhausted = Code.addressSpaceExhausted
  /// The disk is full.
  public static let outOfDiskSpace = Code.outOfDiskSpace
  /// The file is already open, with incompatible options or for an operation that requires it to be
  /// closed.
  public static let alreadyOpen = Code.alreadyOpen
  /// The model differs from the file in ways that need a migration; see ``details``.
  public static let schemaMismatch = Code.schemaMismatch
}
