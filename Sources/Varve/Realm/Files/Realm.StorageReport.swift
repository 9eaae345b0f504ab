import VarveCore

extension Realm {
  /// The use of the file's space, and the versions whose pages cannot be reused.
  ///
  /// ```swift
  /// let report = try realm.storageReport()
  /// print(report)
  /// ```
  ///
  /// A file never shrinks by itself. A page without live data is free, and is reused before the
  /// file grows, once no process pins a version that needs it.
  ///
  /// Unstable: a minor release before 1.0 may change this type.
  public struct StorageReport: Sendable {
    /// The number of bytes up to the last page in use.
    public let totalBytes: Int
    /// The number of bytes of the newest version, including metadata.
    public let liveBytes: Int
    /// The number of bytes that the next commits reuse before the file grows.
    public let freeBytes: Int
    /// The number of bytes that would be free if no process pinned an old version.
    public let pinnedBytes: Int
    /// The number of the newest version.
    public let newestVersion: UInt64
    /// The pinned versions, the oldest first, with one entry for each version and process.
    public let versions: [PinnedVersion]
  }

  /// A version that a process pins.
  ///
  /// Unstable: a minor release before 1.0 may change this type.
  public struct PinnedVersion: Sendable, Hashable {
    /// The number of the commit; see ``Realm/Version/number``.
    public let number: UInt64
    /// The number of newer versions.
    public let distance: Int
    /// The process that pins the version.
    public let processID: Int32
    /// The time since the first newer version; zero for the newest version.
    ///
    /// Nil when it is not known, as in a store that is read without its signal file. For old
    /// versions it is accurate to one eighth.
    public let age: Duration?
    /// The number of bytes that later versions have freed, which are not reused while this version
    /// is pinned.
    public let pinnedBytes: Int
    /// The holders of the version in this process. For other processes only
    /// ``PinHolder/Kind/write`` is known.
    public let holders: [PinHolder]
  }

  /// An object or operation that pins a version.
  ///
  /// Unstable: a minor release before 1.0 may change this type.
  public struct PinHolder: Sendable, Hashable {
    /// The kind of a holder. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
      /// The name of the kind.
      public let description: String

      /// Frozen values, with everything reached from them.
      public static let frozenValue = Kind(description: "frozenValue")
      /// Values that were passed to an observer, with everything reached from them.
      public static let observedValue = Kind(description: "observedValue")
      /// Sequences of chunks of bytes that are being read; see ``ByteChunks``.
      public static let byteChunks = Kind(description: "byteChunks")
      /// Live realms, with everything reached from them.
      public static let openRealm = Kind(description: "openRealm")
      /// Observers, at the version that was last delivered to them.
      public static let observer = Kind(description: "observer")
      /// A running write, at the version before it.
      public static let write = Kind(description: "write")
      /// A running iteration or comparison, or the process's reference to the newest version that
      /// it has read, which is released within one or two seconds.
      public static let read = Kind(description: "read")
    }

    /// The kind of the holder.
    public let kind: Kind
    /// The number of holders of this kind that pin the version.
    public let count: Int
    /// For observers: the observed subject.
    public let subject: String?
    /// For frozen values the call site of `freeze`, for sequences of chunks that of `chunks`, such as
    /// `Shop/Orders.swift:12`.
    public let place: String?
  }

  /// Returns the current use of the file's space, and the versions that this and other processes
  /// pin.
  ///
  /// - Throws: `Realm.Error`: `.closed`, `.forked`, `.corrupted`.
  /// - Complexity: O(commits whose pages were not reused), and O(open realms, observers and
  ///   processes). New versions cannot be opened meanwhile.
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
    versions = zip(use.versions, use.pinnedBytesByVersion).map(Realm.PinnedVersion.init)
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
      case .chunks: .byteChunks
      case .view: .openRealm
      case .observer: .observer
      case .write: .write
      case .reading: .read
      }
    count = holder.count
    subject = holder.subject
    place = holder.callSite?.description
  }
}
