import VarveCore

extension Realm {
  /// What takes room in the file, and which versions keep it from being used again.
  ///
  /// ```swift
  /// let report = try realm.storageReport()
  /// print(report)
  /// ```
  ///
  /// A file never gets smaller by itself; a page that holds nothing any more is free, and used again before the file
  /// grows. It becomes free when no process pins a version that needs it.
  ///
  /// Thread safety: a value.
  public struct StorageReport: Sendable {
    /// The bytes up to the last page in use.
    public let totalBytes: Int
    /// The bytes of the newest version, with those of the file's own bookkeeping.
    public let liveBytes: Int
    /// The bytes that the next commits take before the file grows.
    public let freeBytes: Int
    /// The bytes that would be free if nobody pinned an old version.
    public let pinnedBytes: Int
    /// The number of the newest version.
    public let newestVersion: UInt64
    /// The versions that the processes pin, the oldest first: one for each version and process.
    public let versions: [PinnedVersion]
  }

  /// A version that a process pins.
  ///
  /// Thread safety: a value.
  public struct PinnedVersion: Sendable, Hashable {
    /// The number of the commit; see ``Realm/Version/number``.
    public let number: UInt64
    /// How many newer versions there are.
    public let distance: Int
    /// The process that pins it.
    public let processID: Int32
    /// How long there has been a newer version: zero for the newest. Nil where that is not known, as in a store that
    /// is read without its signal file. Of versions long ago it is known to an eighth.
    public let age: Duration?
    /// The bytes that later versions have given up: none of them is used again while this version is pinned.
    public let pinnedBytes: Int
    /// What holds the version, in this process; of others only ``PinHolder/Kind/write`` is known.
    public let holders: [PinHolder]
  }

  /// What holds a version.
  ///
  /// Thread safety: a value.
  public struct PinHolder: Sendable, Hashable {
    /// The kinds of what holds versions. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
      /// The kind's name.
      public let description: String

      /// Frozen values, with all that is reached from them.
      public static let frozenValue = Kind(description: "frozenValue")
      /// Values that an observer was handed, with all that is reached from them.
      public static let observedValue = Kind(description: "observedValue")
      /// Live realms, with all that is reached from them.
      public static let openRealm = Kind(description: "openRealm")
      /// Observers, at the version that they were told last.
      public static let observer = Kind(description: "observer")
      /// A write that is going on, at the version before it.
      public static let write = Kind(description: "write")
      /// A walk or a comparison that is going on; or the newest version that the process knew, which it lets go of
      /// within a second or two.
      public static let read = Kind(description: "read")
    }

    /// What it is.
    public let kind: Kind
    /// How many of them hold the version.
    public let count: Int
    /// For observers: what they observe.
    public let subject: String?
    /// For frozen values: where in the program they were frozen, as `Shop/Orders.swift:12`.
    public let place: String?
  }

  /// What takes room in the file now, and which versions are pinned, by this process and others.
  ///
  /// - Returns: the report.
  /// - Throws: `Realm.Error`: `.closed`, `.forked`, `.corrupted`.
  /// - Complexity: O(commits whose pages were not used again), and O(open realms, observers and processes). New versions
  ///   are not read meanwhile.
  public func storageReport() throws -> StorageReport {
    StorageReport(try Error.translating { try store.storageUse() })
  }
}

extension Realm.StorageReport {
  fileprivate init(_ use: StorageUse) {
    totalBytes = use.totalBytes
    liveBytes = use.liveBytes
    freeBytes = use.freeBytes
    pinnedBytes = use.pinnedBytes
    newestVersion = use.newest
    versions = zip(use.versions, use.heldBytes).map(Realm.PinnedVersion.init)
  }
}

extension Realm.PinnedVersion {
  fileprivate init(_ version: PinnedVersion, _ pinnedBytes: Int) {
    number = version.number
    distance = Int(clamping: version.distance)
    processID = version.processID
    age = version.age
    self.pinnedBytes = pinnedBytes
    holders = version.holders.map(Realm.PinHolder.init)
  }
}

extension Realm.PinHolder {
  fileprivate init(_ holder: PinHolder) {
    kind =
      switch holder.kind {
      case .frozen: .frozenValue
      case .handed: .observedValue
      case .view: .openRealm
      case .observer: .observer
      case .write: .write
      case .reading: .read
      }
    count = holder.count
    subject = holder.subject
    place = holder.place?.description
  }
}
