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
  /// What an observer may pin that does not take what it is told.
  package var pinBudget = PinBudget(age: .seconds(60), byteCount: 1 << 30)

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
        .invalidInput, "What observers may pin is not negative.",
        value: "\(pinBudget.age), \(pinBudget.byteCount) bytes", path: path)
    }
    guard let mapReservation else { return }
    guard mapReservation > 0, mapReservation <= StoreOptions.maximumMap else {
      throw Failure(
        .invalidInput, "A map reservation has between 1 byte and 128 TiB.",
        value: "\(mapReservation)", path: path)
    }
  }

  /// The options of the environment.
  var environment: EnvironmentOptions {
    var options = EnvironmentOptions(path: path)
    options.isInMemory = isInMemory
    options.isReadOnly = isReadOnly
    options.mapSize = mapReservation
    options.durability =
      switch durability {
      case .full: .full
      case .relaxed: .relaxed
      case .none: .none
      }
    return options
  }
}
