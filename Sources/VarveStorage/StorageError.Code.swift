extension StorageError {
  /// The kind of an error. Open: later versions may add codes.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    private init(_ name: StaticString) {
      self.name = name.description
    }

    package var description: String { name }
  }
}

extension StorageError.Code {
  // The file.

  /// The file is not a store: another format, or empty.
  package static let notADatabase = Self("notADatabase")
  /// The bytes on disk are damaged.
  package static let corrupted = Self("corrupted")
  /// The file was written by a later version, or another version has it open.
  package static let newerFormat = Self("newerFormat")
  package static let fileNotFound = Self("fileNotFound")
  package static let fileExists = Self("fileExists")
  package static let permissionDenied = Self("permissionDenied")
  /// The path is empty, too long, or denotes something other than a regular file.
  package static let invalidPath = Self("invalidPath")
  /// Other users could replace the files, or the path of a file is a symbolic link.
  package static let directoryUnsafe = Self("directoryUnsafe")
  /// LMDB's locks do not work on the file system.
  package static let unsupportedFileSystem = Self("unsupportedFileSystem")
  /// The data file at the path is not the open file.
  package static let dataFileReplaced = Self("dataFileReplaced")
  /// The lock file at the path is not the open file.
  package static let lockFileReplaced = Self("lockFileReplaced")
  /// The signal file at the path is not the open file.
  package static let signalFileReplaced = Self("signalFileReplaced")

  // Resources.

  /// The map is full. The transaction is lost; the next one gets a larger map.
  package static let mapFull = Self("mapFull")
  package static let diskFull = Self("diskFull")
  package static let readersFull = Self("readersFull")
  package static let tablesFull = Self("tablesFull")
  package static let addressSpaceExhausted = Self("addressSpaceExhausted")
  package static let io = Self("io")
  /// A commit could not be synchronized, so that its outcome is unknown. No process can write until
  /// all have closed the store.
  package static let syncFailed = Self("syncFailed")

  // Other users.

  /// Another process or thread holds a required lock; see `pid` and `since`.
  package static let busy = Self("busy")
  /// A process of another PID namespace with the id of this one has the file open.
  package static let processIDInUse = Self("processIDInUse")
  /// The caller cancelled the operation.
  package static let cancelled = Self("cancelled")
  /// The file is open, in this process or another one, with options that exclude these.
  package static let alreadyOpen = Self("alreadyOpen")

  // Use.

  package static let closed = Self("closed")
  /// The process is a fork of the one that opened the store.
  package static let forked = Self("forked")
  package static let readOnly = Self("readOnly")
  /// The transaction is over, failed, used on the wrong thread, or nested where that is not
  /// allowed.
  package static let badTransaction = Self("badTransaction")
  package static let keyTooLong = Self("keyTooLong")
  package static let valueTooLong = Self("valueTooLong")
  package static let tableNotOpen = Self("tableNotOpen")

  /// The last commit of a file is not complete, and the file must not be changed. The opening uses a
  /// copy then.
  static let unfinishedCommit = Self("unfinishedCommit")

  // The library.

  /// The installed liblmdb is not a supported version.
  package static let unsupportedLibrary = Self("unsupportedLibrary")
  /// LMDB could not finish a commit and rejects further transactions; close the store and open it
  /// again.
  package static let panicked = Self("panicked")
}
