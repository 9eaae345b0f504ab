package import Logging
import VarveStorage

/// How a store is opened and how it behaves.
///
/// Thread safety: a value.
package struct StoreOptions: Sendable {
  /// When a commit counts as done.
  package enum Durability: Sendable { case full, relaxed, none }

  /// The file; for a store in memory, its identifier.
  package var path: String
  package var isInMemory: Bool
  package var isReadOnly = false
  package var durability = Durability.full
  /// Address space to reserve in bytes; nil: by the size of the file.
  package var mapReservation: Int?
  /// How long a write waits for the write lock before it throws `.busy`.
  package var writeTimeout = Duration.seconds(30)
  /// How long a group of asynchronous writes may take new members, counted from its begin.
  package var maximumGroupTime = Duration.milliseconds(5)
  /// How long a view may stay unread before it is moved to the newest version.
  package var idleLimit = Duration.seconds(5)
  /// How long a view that is read may be behind the newest version before it is moved, and by how many bytes the file may
  /// have grown meanwhile.
  package var maximumLag = Duration.seconds(10)
  package var maximumLagBytes: Int64 = 64 << 20
  /// What a version that somebody pins may cost.
  package var pinBudget = PinBudget(age: .seconds(60), byteCount: 1 << 30)
  /// How many versions there may be, from the oldest that is pinned to the newest, when a write begins; nil: any number.
  package var maximumVersions: UInt64?
  /// Whether nobody is told of commits, and no view is moved by them.
  package var ignoresCommits = false
  /// The schema version that a new file gets.
  package var schemaVersion: UInt64 = 0
  /// The file that a new one is made of.
  package var seedPath: String?
  /// Asked at the first opening whether the file is to be written anew without free pages.
  package var shouldCompact: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
  /// Follows the writing of a compacted file, or the copy of a seed, and may stop the opening.
  package var copyWatch: CopyWatch?
  /// Where messages go; nil: the logger `varve`.
  package var logger: Logger?

  package init(path: String, isInMemory: Bool = false) {
    self.path = path
    self.isInMemory = isInMemory
  }

  /// The largest map that makes sense: the address space of a process has as much.
  private static let maximumMap = 128 << 40

  /// Refuses values that no store can be opened with.
  ///
  /// - Throws: `.invalidInput` naming the value.
  func check() throws(Failure) {
    guard pinBudget.age >= .zero, pinBudget.byteCount >= 0 else {
      throw Failure(
        .invalidInput, "What may be pinned is not negative.",
        value: "\(pinBudget.age), \(pinBudget.byteCount) bytes", path: path)
    }
    guard maximumLag >= .zero, maximumLagBytes >= 0 else {
      throw Failure(
        .invalidInput, "No view can be ahead of the newest version.",
        value: "\(maximumLag), \(maximumLagBytes) bytes", path: path)
    }
    guard let mapReservation else { return }
    guard mapReservation > 0, mapReservation <= StoreOptions.maximumMap else {
      throw Failure(
        .invalidInput, "A map reservation has between 1 byte and 128 TiB.",
        value: "\(mapReservation)", path: path)
    }
  }

  /// Where messages go, with the path.
  var storeLogger: Logger {
    var logger = logger ?? Logger(label: "varve")
    logger[metadataKey: "path"] = "\(path)"
    return logger
  }

  /// The options of the environment.
  var environment: EnvironmentOptions {
    var options = EnvironmentOptions(path: path)
    options.isInMemory = isInMemory
    options.isReadOnly = isReadOnly
    // Others that open the file at the same time take a moment each.
    options.openTimeout = max(writeTimeout, .seconds(1))
    options.mapSize = mapReservation
    options.schemaVersion = schemaVersion
    options.seedPath = seedPath
    options.copyObserver = copyWatch?.observer
    let logger = storeLogger
    if let shouldCompact {
      options.shouldCompact = { (total: Int, used: Int) -> Bool in
        guard shouldCompact(total, used) else { return false }
        logger.info("The file is compacted.", metadata: ["bytes": "\(total)", "used": "\(used)"])
        return true
      }
    }
    options.compactionFailed = { error in
      logger.error("The file was not compacted.", metadata: ["error": "\(error)"])
    }
    options.durability =
      switch durability {
      case .full: .full
      case .relaxed: .relaxed
      case .none: .none
      }
    return options
  }
}
