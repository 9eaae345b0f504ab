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

  /// The file is no store: another format, or empty.
  package static let notADatabase = Self("notADatabase")
  /// The bytes on disk are not what they must be.
  package static let corrupted = Self("corrupted")
  /// The file was made by a later version.
  package static let newerFormat = Self("newerFormat")
  package static let fileNotFound = Self("fileNotFound")
  package static let fileExists = Self("fileExists")
  package static let permissionDenied = Self("permissionDenied")
  /// The path is empty, too long, or names something other than a plain file.
  package static let invalidPath = Self("invalidPath")
  /// Other users could replace the files, or a link stands where a file must.
  package static let directoryUnsafe = Self("directoryUnsafe")
  /// The file system is not one that LMDB's locks work on.
  package static let unsupportedFileSystem = Self("unsupportedFileSystem")
  /// The data file at the path is not the one that is open.
  package static let dataFileReplaced = Self("dataFileReplaced")
  /// The lock file at the path is not the one that is open.
  package static let lockFileReplaced = Self("lockFileReplaced")
  /// The signal file at the path is not the one that is open.
  package static let signalFileReplaced = Self("signalFileReplaced")

  // Resources.

  /// The map is full. The transaction is lost; the next one gets a larger map.
  package static let mapFull = Self("mapFull")
  package static let diskFull = Self("diskFull")
  package static let readersFull = Self("readersFull")
  package static let tablesFull = Self("tablesFull")
  package static let addressSpaceExhausted = Self("addressSpaceExhausted")
  package static let io = Self("io")

  // Other users.

  /// Another process or thread holds what is needed; see `pid` and `since`.
  package static let busy = Self("busy")
  /// A process of another PID namespace with the id of this one has the file open.
  package static let processIDInUse = Self("processIDInUse")
  /// The caller asked to stop waiting.
  package static let cancelled = Self("cancelled")
  /// The file is open, in this process or another one, with options that exclude these.
  package static let alreadyOpen = Self("alreadyOpen")

  // Use.

  package static let closed = Self("closed")
  /// The process is a fork of the one that opened the store.
  package static let forked = Self("forked")
  package static let readOnly = Self("readOnly")
  /// The transaction is over, failed, used on the wrong thread, or nested where it must not be.
  package static let badTransaction = Self("badTransaction")
  package static let keyTooLong = Self("keyTooLong")
  package static let valueTooLong = Self("valueTooLong")
  package static let tableNotOpen = Self("tableNotOpen")

  // The library.

  /// The installed liblmdb is not one that is known to work.
  package static let unsupportedLibrary = Self("unsupportedLibrary")
  /// LMDB could not finish a commit and refuses to go on; close the store and open it again.
  package static let panicked = Self("panicked")
}
