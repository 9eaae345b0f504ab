import VarveCore
extension Realm.Error.Code {
  /// A file operation failed.
  public static let fileAccess = Self(.fileAccess)
  /// A file operation failed; the same as ``fileAccess``.
  public static let fileOperationFailed = Self(.fileAccess)
  /// The user may not use the file or its directory.
  public static let filePermissionDenied = Self(.filePermissionDenied)
  /// The file exists already.
  public static let fileExists = Self(.fileExists)
  /// The file or its directory does not exist.
  public static let fileNotFound = Self(.fileNotFound)
  /// The file is not a Varve file.
  public static let invalidDatabase = Self(.invalidDatabase)
  /// Bytes of the file are damaged.
  public static let corrupted = Self(.corrupted)
  /// The file was made by a newer version of the library.
  public static let unsupportedFileFormatVersion = Self(.unsupportedFileFormatVersion)
  /// The process has no address space left for the file.
  public static let addressSpaceExhausted = Self(.addressSpaceExhausted)
  /// The disk is full.
  public static let outOfDiskSpace = Self(.outOfDiskSpace)
  /// The transaction outgrew the memory map; the next one has a larger map.
  public static let mapFull = Self(.mapFull)
  /// Too many processes and versions are reading.
  public static let readersFull = Self(.readersFull)
  /// There are more versions between the oldest that is pinned and the newest than
  /// ``Realm/Configuration/maximumNumberOfActiveVersions``.
  public static let tooManyVersions = Self(.tooManyVersions)
  /// A version that somebody pins costs more than ``Realm/Configuration/pinBudget``; see ``Realm/Error/details``.
  public static let pinBudgetExceeded = Self(.pinBudgetExceeded)
  /// The write lock was held by a process for longer than the timeout.
  public static let busy = Self(.busy)
  /// The wait was cancelled.
  public static let cancelled = Self(.cancelled)
  /// The process is a fork of the one that opened the file.
  public static let forked = Self(.forked)
  /// The store was closed.
  public static let closed = Self(.closed)
  /// The file is open, with other options or where it must not be.
  public static let alreadyOpen = Self(.alreadyOpen)
  /// A process with the id of this one, in another PID namespace, has the file open: containers that share a store share a
  /// PID namespace, or their processes have different ids.
  public static let processIDInUse = Self(.processIDInUse)
  /// Other users could replace the files in the directory.
  public static let directoryUnsafe = Self(.directoryUnsafe)
  /// The installed liblmdb is not supported, or another one made the file: 0.9.24 to 0.9.69 are.
  public static let unsupportedLibrary = Self(.unsupportedLibrary)
  /// The model differs from the file in ways that need a migration; see ``Realm/Error/details``.
  public static let schemaMismatch = Self(.schemaMismatch)
  /// The model declarations are not sound; see ``Realm/Error/details``.
  public static let invalidSchema = Self(.invalidSchema)
  /// The file has a newer schema than the configuration: its version is higher.
  public static let schemaVersionTooLow = Self(.schemaVersionTooLow)
  /// The store was opened read-only.
  public static let readOnly = Self(.readOnly)
  /// The operation needs a write transaction.
  public static let notInWriteTransaction = Self(.notInWriteTransaction)
  /// The thread is inside a write transaction of the store.
  public static let alreadyInWriteTransaction = Self(.alreadyInWriteTransaction)
  /// A frozen object cannot be changed.
  public static let frozen = Self(.frozen)
  /// The object is not managed.
  public static let unmanaged = Self(.unmanaged)
  /// The input makes no sense.
  public static let invalidInput = Self(.invalidInput)
  /// The value is of another type than the property.
  public static let typeMismatch = Self(.typeMismatch)
  /// Null was given for what needs a value.
  public static let missingValue = Self(.missingValue)
  /// The file has no such class.
  public static let unknownClass = Self(.unknownClass)
  /// The class has no such property.
  public static let unknownProperty = Self(.unknownProperty)
  /// An object with the primary key exists already.
  public static let duplicatePrimaryKey = Self(.duplicatePrimaryKey)
  /// Another object has the values that a unique index allows once.
  public static let duplicateValue = Self(.duplicateValue)
  /// The class has no primary key.
  public static let noPrimaryKey = Self(.noPrimaryKey)
  /// The primary key of a stored object cannot be changed.
  public static let primaryKeyChanged = Self(.primaryKeyChanged)
  /// A dictionary key contains `.` or starts with `$`.
  public static let invalidKey = Self(.invalidKey)
  /// The index is out of bounds.
  public static let indexOutOfBounds = Self(.indexOutOfBounds)
  /// The value is larger than can be stored, or the primary keys of the type have all been generated.
  public static let valueTooLarge = Self(.valueTooLarge)
  /// The object was deleted or invalidated.
  public static let invalidatedObject = Self(.invalidatedObject)
  /// The object belongs to another store.
  public static let foreignObject = Self(.foreignObject)
  /// The embedded object has a place in another object, or in another property, already.
  public static let alreadyEmbedded = Self(.alreadyEmbedded)
  /// An earlier failure of the engine ended the transaction.
  public static let damagedTransaction = Self(.damagedTransaction)
  /// Another failure.
  public static let fail = Self(.fail)
}

// The codes that the Realm SDK has, as it spells them: `catch Realm.Error.fileNotFound`.
extension Realm.Error {
  /// Another failure.
  public static let fail = Code.fail
  /// A file operation failed.
  public static let fileAccess = Code.fileAccess
  /// A file operation failed.
  public static let fileOperationFailed = Code.fileOperationFailed
  /// The user may not use the file or its directory.
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
  /// The file is open, with other options or where it must not be.
  public static let alreadyOpen = Code.alreadyOpen
  /// The model differs from the file in ways that need a migration; see ``details``.
  public static let schemaMismatch = Code.schemaMismatch
}
