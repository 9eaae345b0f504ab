/// The output of `varve info`.
struct StoreReport: Equatable, Sendable {
  struct Property: Equatable, Sendable {
    var name: String

    /// The type as declared in a model: `String?`, `List<Package>`.
    var type: String
    var isPrimaryKey = false
    /// Whether the property is the object id, and therefore needs no index.
    var isObjectID = false
    var isAutoIncremented = false
    var isIndexed = false
  }

  struct ClassSummary: Equatable, Sendable {
    var name: String
    var isEmbedded = false
    var objectCount: Int
    var properties: [Property]

    /// The compound, unique and full-text indexes, as text.
    var indexes: [String] = []
  }

  /// A process that pins a version of the store.
  struct Reader: Equatable, Sendable {
    var process: Int32

    /// The number of versions newer than the pinned one; nil when no version is pinned.
    var distance: UInt64?

    /// The time since a newer version was committed; nil when it is unknown.
    var age: Duration?

    /// The bytes freed by later versions that are kept for this reader.
    var pinnedBytes = 0
    var isWriting = false
  }

  /// The use of the bytes of the file.
  struct Space: Equatable, Sendable {
    var live: Int
    var free: Int
    var pinned: Int
  }

  /// A table of the file.
  struct Table: Equatable, Sendable {
    /// `objects of Dog`, `indexes`, `lists`.
    var name: String
    var entryCount: Int
    var bytes: Int
  }

  var path: String
  var bytesOnDisk: Int
  var formatVersion: Int
  var schemaVersion: UInt64

  /// The number of commits since the file was created, and the random id of its history.
  var commit: UInt64
  var incarnation: String

  var space: Space
  var classes: [ClassSummary]

  /// The tables that contain something; empty if they were not requested.
  var tables: [Table] = []

  /// Whether the lock file, which lists the readers, can be opened.
  var knowsReaders = true

  /// The readers of other processes.
  var readers: [Reader]
}
