public import Foundation
import Synchronization
package import VarveCore

extension Realm {
  /// What to open, and how.
  ///
  /// ```swift
  /// var configuration = Realm.Configuration(fileURL: URL(filePath: "shop.varve"))
  /// configuration.objectTypes = [Order.self, Customer.self]
  /// let realm = try Realm(configuration: configuration)
  /// ```
  ///
  /// A configuration remembers its store after the first open.
  ///
  /// Thread safety: a value.
  public struct Configuration: Sendable {
    /// When a commit counts as done.
    public enum Durability: Sendable, Hashable {
      /// Each commit is on disk when the write returns.
      case full
      /// A power cut may lose the last commits, and never damages the file.
      case relaxed
      /// A power cut may lose the file. For tests and caches.
      case none
    }

    /// Guards the default.
    private static let standard = Mutex(Configuration())

    /// The configuration of `Realm()`; at first the file `default.varve` in the working directory.
    public static var defaultConfiguration: Configuration {
      get { standard.withLock { $0 } }
      set { standard.withLock { $0 = newValue } }
    }

    /// The file; nil when ``inMemoryIdentifier`` is set.
    ///
    /// A URL that names no file of this machine, such as one of another scheme, makes opening throw
    /// `.fileAccess`.
    public var fileURL: URL? {
      didSet {
        if fileURL != nil { inMemoryIdentifier = nil }
        forgetStore()
      }
    }

    /// Names a store that lives in memory and ends with ``Realm/close(_:)`` or the process; realms of
    /// one identifier in a process share it. Nil when ``fileURL`` is set.
    public var inMemoryIdentifier: String? {
      didSet {
        if inMemoryIdentifier != nil { fileURL = nil }
        forgetStore()
      }
    }

    /// The classes that the file shall know when it is opened. Nil: each class is registered by the
    /// first write that uses it.
    ///
    /// Opening compares the classes given here with the file, and throws `.schemaMismatch` with every
    /// difference when they do not fit. A class that is not given is compared when it is used first: a
    /// write then throws, but a read cannot; a class that does not fit reads as empty, and an error is
    /// logged once. So list the classes, at least of a program that only reads.
    public var objectTypes: [ObjectBase.Type]? { didSet { forgetStore() } }

    /// Whether writes are refused. The file must exist.
    public var readOnly: Bool { didSet { forgetStore() } }

    /// When a commit counts as done.
    public var durability: Durability { didSet { forgetStore() } }

    /// Address space to reserve for the file, in bytes; nil: 16 GiB, or 8 times the file if that is
    /// more. It costs neither memory nor disk, and grows when it is used up. Less than the file needs is
    /// raised to that; a size that is not positive, or beyond 128 TiB, makes opening throw `.invalidInput`.
    public var mapReservation: Int? { didSet { forgetStore() } }

    /// How long a write waits for the write lock before it throws `.busy`.
    public var writeTimeout: Duration { didSet { forgetStore() } }

    /// How long a realm may stay unread before it is moved to the newest version.
    public var idleLimit: Duration { didSet { forgetStore() } }

    /// How long an observer may keep the version that it was told last while there is a newer one. Past that
    /// it is told the whole state once more, with ``RestartReason/pinAge``. Looked at once a second.
    ///
    /// While the file is open, the configuration that it was opened with first decides. A negative time makes opening
    /// throw `.invalidInput`.
    public var maximumPinAge: Duration { didSet { forgetStore() } }

    /// By how many bytes the file may grow while an observer keeps the version that it was told last. Past that
    /// it is told the whole state once more, with ``RestartReason/pinnedBytes``. Looked at once a second.
    ///
    /// As for `maximumPinAge`, the first configuration decides, and a negative number is refused.
    public var maximumPinnedBytes: Int { didSet { forgetStore() } }

    /// Whether reads inside `withObservationTracking`, and in the closure of `Observations`, are tracked.
    ///
    /// Realms of this configuration, and all that is reached from them, then tell of changes to what was read, and
    /// follow commits while somebody waits for that. It is a matter of each realm, not of the file: a read through
    /// one that tracks costs about 50 ns more, and one through another costs what it did.
    public var tracksObservation: Bool

    private var box = StoreBox()

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - fileURL: the file; nil with an identifier for a store in memory.
    ///   - inMemoryIdentifier: names a store in memory; it takes precedence over the file.
    ///   - readOnly: whether writes are refused.
    ///   - objectTypes: the classes that the file shall know when it is opened.
    ///   - durability: when a commit counts as done.
    ///   - mapReservation: address space to reserve, in bytes.
    ///   - writeTimeout: how long a write waits for the write lock.
    ///   - idleLimit: how long a realm may stay unread before it is moved.
    ///   - maximumPinAge: how long an observer may keep a version.
    ///   - maximumPinnedBytes: by how much the file may grow for an observer.
    ///   - tracksObservation: whether reads inside `withObservationTracking` are tracked.
    public init(
      fileURL: URL? = nil, inMemoryIdentifier: String? = nil, readOnly: Bool = false,
      objectTypes: [ObjectBase.Type]? = nil, durability: Durability = .full,
      mapReservation: Int? = nil, writeTimeout: Duration = .seconds(30),
      idleLimit: Duration = .seconds(5), maximumPinAge: Duration = .seconds(60),
      maximumPinnedBytes: Int = 1 << 30, tracksObservation: Bool = false
    ) {
      self.fileURL =
        inMemoryIdentifier == nil ? fileURL ?? Configuration.initialURL : nil
      self.inMemoryIdentifier = inMemoryIdentifier
      self.readOnly = readOnly
      self.objectTypes = objectTypes
      self.durability = durability
      self.mapReservation = mapReservation
      self.writeTimeout = writeTimeout
      self.idleLimit = idleLimit
      self.maximumPinAge = maximumPinAge
      self.maximumPinnedBytes = maximumPinnedBytes
      self.tracksObservation = tracksObservation
    }

    private static var initialURL: URL {
      URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "default.varve")
    }

    private mutating func forgetStore() { box = StoreBox() }

    /// The open store.
    package func store() throws(Failure) -> Store {
      if let store = box.open { return store }
      return try openStore()
    }

    private func options() throws(Failure) -> StoreOptions {
      var options: StoreOptions
      if let inMemoryIdentifier {
        options = StoreOptions(path: inMemoryIdentifier, isInMemory: true)
      } else {
        options = StoreOptions(path: try fileURL?.pathOfLocalFile() ?? "")
      }
      options.isReadOnly = readOnly
      options.mapReservation = mapReservation
      options.writeTimeout = writeTimeout
      options.idleLimit = idleLimit
      options.pinBudget = PinBudget(age: maximumPinAge, byteCount: Int64(maximumPinnedBytes))
      options.durability =
        switch durability {
        case .full: .full
        case .relaxed: .relaxed
        case .none: .none
        }
      return options
    }

    private func openStore() throws(Failure) -> Store {
      let store = try StoreRegistry.shared.open(try options())
      try store.register(
        atOpen: (objectTypes ?? []).map { ClassInfo.of($0).description })
      box.set(store)
      return store
    }

    /// The store, if it is open.
    var openedStore: Store? {
      if let store = box.open { return store }
      // What names no file is not open.
      return (try? options()).flatMap(StoreRegistry.shared.openStore)
    }
  }

  /// Closes a file for this process; nothing happens when it is not open.
  ///
  /// Realms of it that are still around, and what was reached from them, go on reading the version
  /// that they read, and throw `.closed` when they are refreshed or written to. The files are let go
  /// with the last of them. `Realm(configuration:)` opens the file again.
  /// - Parameter configuration: the configuration of the file.
  /// - Throws: `Realm.Error` with `.busy` while a write runs.
  public static func close(_ configuration: Configuration) throws {
    try Error.translating {
      guard let store = configuration.openedStore else { return }
      try StoreRegistry.shared.close(store)
    }
  }
}

/// Remembers the store of a configuration and its copies.
///
/// Thread safety: atomic; the store is kept for the life of the process once set.
final class StoreBox: Sendable {
  private let bits = Atomic<UInt>(0)

  var open: Store? {
    guard let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) else {
      return nil
    }
    // Safe because `set` retained the store and only the deinit gives it back.
    let store = Unmanaged<Store>.fromOpaque(pointer).takeUnretainedValue()
    return store.isClosed ? nil : store
  }

  func set(_ store: Store) {
    let new = UInt(bitPattern: Unmanaged.passRetained(store).toOpaque())
    let old = bits.exchange(new, ordering: .acquiringAndReleasing)
    // A store that was closed may still be read by a thread in `open`: it is kept.
    _ = old
  }

  deinit {
    if let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) {
      Unmanaged<Store>.fromOpaque(pointer).release()
    }
  }
}
