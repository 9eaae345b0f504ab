package import Logging
import VarveStorage

/// The options of opening a store and of its behavior.
///
/// Thread safety: a value.
package struct StoreOptions: Sendable {
  /// The durability that a commit guarantees when it returns.
  package enum Durability: Sendable { case full, none }

  /// The path of the file, or the identifier of an in-memory store.
  package var path: String
  package var isInMemory: Bool
  package var isReadOnly = false

  /// Whether the store is created if the file does not exist or is empty.
  package var createsFile = true
  package var durability = Durability.full
  /// The address space to reserve, in bytes, or nil to derive it from the size of the file.
  package var mapReservation: Int?
  /// How long a write waits for the write lock before it throws `.busy`.
  package var writeTimeout = Duration.seconds(30)
  /// The time, from its begin, during which a group of asynchronous writes accepts new members.
  package var maximumGroupTime = Duration.milliseconds(5)
  /// How long a view may stay unread before it is moved to the newest version.
  package var idleLimit = Duration.milliseconds(50)
  /// How long a view in use may be behind the newest version before it is moved, and by how many
  /// bytes the file may grow meanwhile.
  package var maximumLag = Duration.seconds(10)
  package var maximumLagBytes: Int64 = 64 << 20
  /// The maximum cost of a pinned version.
  package var pinBudget = PinBudget(age: .seconds(60), byteCount: 1 << 30)
  /// The maximum number of versions, from the oldest pinned one to the newest, when a write begins;
  /// nil for no limit.
  package var maximumVersions: UInt64?
  /// Whether no observer is notified of commits, and no view is moved by them.
  package var ignoresCommits = false
  /// The schema version of a new file.
  package var schemaVersion: UInt64 = 0
  /// Whether the first opening of the file in the process checks all of it.
  package var checksOnOpening = false
  /// The file that a new file is copied from.
  package var seedPath: String?
  /// Called at the first opening to decide whether the file is rewritten without free pages.
  package var shouldCompact: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
  /// Called when the file could not be rewritten; it is then opened unchanged.
  package var compactionFailed: (@Sendable (Failure) -> Void)?
  /// Reports the progress of compacting a file or copying a seed, and can stop the opening.
  package var workWatch: WorkWatch?
  /// The logger; nil for the logger `varve`.
  package var logger: Logger?

  package init(path: String, isInMemory: Bool = false) {
    self.path = path
    self.isInMemory = isInMemory
  }

  /// The largest sensible map: the size of the address space of a process.
  private static let maximumMap = 128 << 40

  /// Validates the options.
  ///
  /// - Throws: `.invalidInput` with the invalid value.
  func check() throws(Failure) {
    guard pinBudget.age >= .zero, pinBudget.byteCount >= 0 else {
      throw Failure(
        .invalidInput, "A pin budget cannot be negative.",
        value: "\(pinBudget.age), \(pinBudget.byteCount) bytes", path: path)
    }
    guard maximumLag >= .zero, maximumLagBytes >= 0 else {
      throw Failure(
        .invalidInput, "The maximum lag cannot be negative.",
        value: "\(maximumLag), \(maximumLagBytes) bytes", path: path)
    }
    guard let mapReservation else { return }
    guard mapReservation > 0, mapReservation <= StoreOptions.maximumMap else {
      throw Failure(
        .invalidInput, "A map reservation must be between 1 byte and 128 TiB.",
        value: "\(mapReservation)", path: path)
    }
  }

  /// The logger, with the path as metadata.
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
    options.createsFile = createsFile
    // Concurrent openings of the same file each take a moment.
    options.openTimeout = max(writeTimeout, .seconds(1))
    options.mapSize = mapReservation
    options.schemaVersion = schemaVersion
    options.seedPath = seedPath
    options.workObserver = workWatch?.observer
    let logger = storeLogger
    if let shouldCompact {
      options.shouldCompact = { (total: Int, used: Int) -> Bool in
        guard shouldCompact(total, used) else { return false }
        logger.info("The file is compacted.", metadata: ["bytes": "\(total)", "used": "\(used)"])
        return true
      }
    }
    let compactionFailed = compactionFailed
    options.compactionFailed = { error in
      compactionFailed?(Failure(error))
      if error.isOfLeakedPages {
        return logger.warning("A file with leaked pages cannot be compacted.")
      }
      logger.error("The file was not compacted.", metadata: ["error": "\(error)"])
    }
    options.commitTakenBack = {
      logger.warning("The last commit was not complete, and was taken back.")
    }
    options.durability =
      switch durability {
      case .full: .full
      case .none: .none
      }
    return options
  }
}
