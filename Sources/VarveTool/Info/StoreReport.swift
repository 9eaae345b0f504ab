/// What `varve info` says about a store.
struct StoreReport: Equatable, Sendable {
  struct Property: Equatable, Sendable {
    var name: String

    /// As in a model: `String?`, `List<Package>`.
    var type: String
    var isPrimaryKey = false
    var isIndexed = false
  }

  struct ClassSummary: Equatable, Sendable {
    var name: String
    var isEmbedded = false
    var objectCount: Int
    var properties: [Property]
  }

  /// A process that holds a version of the store.
  struct Reader: Equatable, Sendable {
    var process: Int32

    /// The engine's number of the transaction that it reads; nil when its slot is idle.
    var transaction: UInt64?
  }

  var path: String
  var bytesOnDisk: Int
  var formatVersion: Int
  var schemaVersion: UInt64

  /// The number of commits since the file was made, and the random name of its history.
  var commit: UInt64
  var incarnation: String

  /// The engine's number of the newest transaction.
  var transaction: UInt64
  var classes: [ClassSummary]

  /// Those of other processes than this one.
  var readers: [Reader]
}
