/// What `varve info` says about a store.
struct StoreReport: Equatable, Sendable {
  struct Property: Equatable, Sendable {
    var name: String

    /// As in a model: `String?`, `List<Package>`.
    var type: String
    var isPrimaryKey = false
    var isAutoIncremented = false
    var isIndexed = false
  }

  struct ClassSummary: Equatable, Sendable {
    var name: String
    var isEmbedded = false
    var objectCount: Int
    var properties: [Property]

    /// Those over several properties, the unique and the full-text ones, in words.
    var indexes: [String] = []
  }

  /// A process that holds a version of the store.
  struct Reader: Equatable, Sendable {
    var process: Int32

    /// How many newer versions there are than the one that it pins; nil when it pins none.
    var distance: UInt64?

    /// How long there has been a newer version; nil when that is not known.
    var age: Duration?

    /// What later versions have given up, and is kept for it.
    var pinnedBytes = 0
    var isWriting = false
  }

  /// What the file's bytes are used for.
  struct Space: Equatable, Sendable {
    var live: Int
    var free: Int
    var pinned: Int
  }

  var path: String
  var bytesOnDisk: Int
  var formatVersion: Int
  var schemaVersion: UInt64

  /// The number of commits since the file was made, and the random name of its history.
  var commit: UInt64
  var incarnation: String

  var space: Space
  var classes: [ClassSummary]

  /// Those of other processes than this one.
  var readers: [Reader]
}
