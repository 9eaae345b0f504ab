import VarveCore

extension Realm {
  /// What a version that somebody pins may cost while there are newer ones; nil: anything.
  ///
  /// Pages that a pinned version needs are not used again, so the file grows with what is written meanwhile. Frozen
  /// values, open realms, observers that do not take what they are told, and the processes that have them, pin
  /// versions; ``Realm/storageReport()`` names them.
  ///
  /// An observer past a limit loses its version, and is told the whole state once more: see ``RestartReason``. For
  /// everything else the action decides. Limits are looked at once a second, and when a write begins that may be refused.
  ///
  /// Thread safety: a value.
  public struct PinBudget: Sendable, Hashable {
    /// What happens when something that cannot be taken away costs more than it may.
    public enum Action: Sendable, Hashable {
      /// A warning is logged, once for each version and process, that names what holds the version.
      case warn
      /// As `warn`; and beginning a write throws `.pinBudgetExceeded` that names it too, until it is gone.
      case refuseWrites
    }

    /// How many newer versions there may be.
    public var versions: Int?
    /// How long there may have been a newer version.
    public var age: Duration?
    /// By how many bytes the file may have grown since.
    public var bytes: Int?
    /// What happens past a limit.
    public var action: Action

    /// Makes a budget; by default a minute or 1 GiB, past which a warning is logged.
    ///
    /// - Parameters:
    ///   - versions: how many newer versions there may be.
    ///   - age: how long there may have been a newer version.
    ///   - bytes: by how many bytes the file may have grown since.
    ///   - action: what happens past a limit.
    public init(
      versions: Int? = nil, age: Duration? = .seconds(60), bytes: Int? = 1 << 30,
      action: Action = .warn
    ) {
      self.versions = versions
      self.age = age
      self.bytes = bytes
      self.action = action
    }

    /// The budget as the core knows it.
    ///
    /// - Throws: `.invalidInput` for a negative number of versions.
    func core(_ path: String) throws(Failure) -> VarveCore.PinBudget {
      if let versions, versions < 0 {
        throw Failure(
          .invalidInput, "What may be pinned is not negative.", value: "\(versions)", path: path)
      }
      return VarveCore.PinBudget(
        // A century: no process lives as long.
        age: age ?? .seconds(100 * 365 * 86_400), byteCount: bytes.map { Int64($0) } ?? .max,
        versions: versions.map { UInt64($0) } ?? .max, refusesWrites: action == .refuseWrites)
    }
  }
}
