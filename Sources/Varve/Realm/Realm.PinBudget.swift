import VarveCore

extension Realm {
  /// The limits on the cost of a pinned version while there are newer versions.
  ///
  /// Pages that a pinned version needs are not reused, so the file grows with each commit. Versions
  /// are pinned by frozen values, open realms, and observers that do not process their deliveries,
  /// in every process that has the file open. ``Realm/storageReport()`` lists them.
  ///
  /// An observer past a limit loses its version and receives the whole state again; see
  /// ``RestartReason``. A live realm past a limit is moved as described for
  /// ``Configuration/maximumLag``. For every other holder, ``Action`` decides. Limits are checked
  /// once a second, and at the beginning of a write with ``Action/refuseWrites``.
  public struct PinBudget: Sendable, Hashable {
    /// The action taken when a holder that cannot be released exceeds a limit.
    public enum Action: Sendable, Hashable {
      /// Logs a warning that names the holders of the version, once for each version and process.
      case warn
      /// Logs the same warning as ``warn``. Beginning a write throws `.pinBudgetExceeded`, which
      /// names the holders too, until the version is released.
      case refuseWrites
    }

    /// The maximum number of newer versions; nil for no limit.
    public var versions: Int?
    /// The maximum time since the first newer version; nil for no limit.
    public var age: Duration?
    /// The maximum number of bytes by which the file may have grown since the first newer version;
    /// nil for no limit.
    public var bytes: Int?
    /// The action taken past a limit.
    public var action: Action

    /// Creates a budget. The default logs a warning after one minute or 1 GiB.
    public init(
      versions: Int? = nil, age: Duration? = .seconds(60), bytes: Int? = 1 << 30,
      action: Action = .warn
    ) {
      self.versions = versions
      self.age = age
      self.bytes = bytes
      self.action = action
    }

    /// Returns the budget in the form of the core.
    ///
    /// - Throws: `.invalidInput` for a negative number of versions.
    func core(_ path: String) throws(Failure) -> VarveCore.PinBudget {
      if let versions, versions < 0 {
        throw Failure(
          .invalidInput, "A limit of the pin budget must not be negative.", value: "\(versions)",
          path: path)
      }
      return VarveCore.PinBudget(
        // A century stands for no limit: no process lives as long.
        age: age ?? .seconds(100 * 365 * 86_400), byteCount: bytes.map { Int64($0) } ?? .max,
        versions: versions.map { UInt64($0) } ?? .max, refusesWrites: action == .refuseWrites)
    }
  }
}
