public import Foundation
public import Logging
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
      ///
      /// It would put the commits of other processes at risk too. Opening a file that another process has open with
      /// ``full`` or ``relaxed`` throws `.alreadyOpen`, and so does the reverse.
      case none
    }

    /// The configuration of `Realm()`; at first the file `default.varve` in the working directory.
    ///
    /// In a test that has a store of its own by the module VarveTesting, this is the default of the test alone.
    public static var defaultConfiguration: Configuration {
      get { DefaultConfiguration.current.value }
      set { DefaultConfiguration.current.value = newValue }
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
    /// one identifier in a process share it. Nil when ``fileURL`` is set. See <doc:Testing>.
    public var inMemoryIdentifier: String? {
      didSet {
        if inMemoryIdentifier != nil { fileURL = nil }
        forgetStore()
      }
    }

    /// The classes that opening registers in the file. Nil, the default: all classes with ``Model()``
    /// that are compiled into the program; each is registered by the first write that uses it.
    ///
    /// Opening compares the classes with the file, and throws `.schemaMismatch` with every difference
    /// that needs a migration. With nil it compares those that the file has. Classes that several of
    /// the program share a name with, generic classes and those declared in extensions are compared
    /// only when they are listed; otherwise at their first use: a write throws, and a read finds no
    /// objects and logs an error once.
    public var objectTypes: [ObjectBase.Type]? { didSet { forgetStore() } }

    /// Whether writes are refused. The file must exist.
    public var readOnly: Bool { didSet { forgetStore() } }

    /// The version of the classes, which the file stores. A program whose classes differ from the file's in more than what
    /// can be added raises it, and opening then migrates the file; see ``migrationBlock``.
    ///
    /// Opening a file that has a higher version throws `.schemaVersionTooLow`; so do writes and refreshes once another
    /// process has migrated the file to one.
    public var schemaVersion: UInt64 { didSet { forgetStore() } }

    /// Called when the file has a lower version than ``schemaVersion``, after the properties that ``objectTypes`` have now
    /// were added, and before those that they do not have any more are removed; see ``Realm/Migration``.
    ///
    /// Without it the file is migrated all the same. It runs inside one write transaction: what it throws is thrown by the
    /// opening, and nothing stays. A file without classes gets the version, and it is not called. Of processes that
    /// open the file at once one migrates, and the others wait for it as for any write, for ``writeTimeout``.
    public var migrationBlock: MigrationBlock? { didSet { forgetStore() } }

    /// Whether the file is opened whatever its schema version is, for ``Realm/dynamicObjects(_:)`` by programs that do not
    /// have its classes. ``schemaVersion`` and ``migrationBlock`` then mean nothing.
    public var isDynamic: Bool { didSet { forgetStore() } }

    /// When a commit counts as done.
    public var durability: Durability { didSet { forgetStore() } }

    /// Address space to reserve for the file, in bytes; nil: 16 GiB, or 8 times the file if that is
    /// more. It costs neither memory nor disk, and grows when it is used up. Less than the file needs is
    /// raised to that; a size that is not positive, or beyond 128 TiB, makes opening throw `.invalidInput`.
    public var mapReservation: Int? { didSet { forgetStore() } }

    /// How long a write waits for the write lock before it throws `.busy`. Opening waits as long, and at least a second,
    /// for another process that is opening the file.
    public var writeTimeout: Duration { didSet { forgetStore() } }

    /// How long a realm may stay unread before it is moved to the newest version.
    public var idleLimit: Duration { didSet { forgetStore() } }

    /// How long a realm that is read may be behind the newest version before it is moved.
    ///
    /// It is moved between two reads, in no case before a second, and not inside a write. An iterator keeps the version
    /// that it began in. A unit of work that takes longer, and needs one version, reads ``Realm/freeze(file:line:)``.
    /// Realms with a queue or an actor are moved there instead, and one whose ``Realm/autorefresh`` is off by its user
    /// alone. A negative limit makes opening throw `.invalidInput`.
    public var maximumLag: Duration { didSet { forgetStore() } }

    /// By how many bytes the file may have grown before a realm that is read, and behind the newest version, is moved; as
    /// ``maximumLag``. Pages that a version needs are not used again while a realm reads it.
    public var maximumLagBytes: Int { didSet { forgetStore() } }

    /// What a version that somebody pins may cost, and what happens when it costs more.
    ///
    /// While the file is open, the configuration that it was opened with first decides. A negative limit makes opening
    /// throw `.invalidInput`.
    public var pinBudget: PinBudget { didSet { forgetStore() } }

    /// How many versions there may be, from the oldest that any process pins to the newest, when a write begins; nil:
    /// any number.
    ///
    /// When there are more, beginning a write throws `.tooManyVersions` with what holds the oldest: a frozen value
    /// that is kept, for instance, while the file grows with each commit. While the file is open, the configuration
    /// that it was opened with first decides.
    public var maximumNumberOfActiveVersions: UInt? { didSet { forgetStore() } }

    /// Asked when the file is opened and no process has it open: whether to write it anew without its free pages.
    ///
    /// It gets the size of the file in bytes, and how many of them are in use. When that fails, for want of room on
    /// the disk for instance, an error is logged and the file is opened as it was. A file that was written anew is
    /// another history. Not asked for read-only stores and those in memory.
    ///
    /// ``Realm/open(configuration:progress:)`` reports how far the new file has come, and may be cancelled.
    ///
    /// No file is opened while it runs, by any thread: it must not open one.
    public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)? {
      didSet { forgetStore() }
    }

    /// A file that the store begins as a copy of, when there is none yet. It is not read otherwise.
    ///
    /// Such as one that ``Realm/writeCopy(toFile:encryptionKey:progress:)`` made. The copy is checked before it is
    /// used, and is another history. Not used by read-only stores and those in memory.
    public var seedFilePath: URL? { didSet { forgetStore() } }

    /// Whether a file whose classes do not fit ``objectTypes``, or that has a higher ``schemaVersion``, is removed, with
    /// all that is in it, and made anew: for caches, and while a model is in flux.
    ///
    /// Otherwise opening migrates it, or throws `.schemaMismatch` or `.schemaVersionTooLow`. It throws these also while
    /// anybody else has the file open. A file is kept whose classes can be made to fit by adding to them.
    public var deleteRealmIfMigrationNeeded: Bool { didSet { forgetStore() } }

    /// Must be nil: files cannot be encrypted, since LMDB maps them as they are. A key makes opening throw
    /// `.invalidInput` before any file is touched. Encrypt the disk instead.
    public var encryptionKey: Data? { didSet { forgetStore() } }

    /// Where the store logs, with the path of the file as metadata; nil: a logger with the label `varve`.
    ///
    /// Its level decides what is logged. While the file is open, the configuration that it was opened with first
    /// decides.
    public var logger: Logger? { didSet { forgetStore() } }

    /// Whether reads inside `withObservationTracking`, and in the closure of `Observations`, are tracked.
    ///
    /// Realms of this configuration, and all that is reached from them, then tell of changes to what was read, and
    /// follow commits while somebody waits for that. It is a matter of each realm, not of the file: a read through
    /// one that tracks costs about 50 ns more, and one through another costs what it did.
    public var tracksObservation: Bool

    var box = StoreBox()

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - fileURL: the file; nil with an identifier for a store in memory.
    ///   - inMemoryIdentifier: names a store in memory; it takes precedence over the file.
    ///   - readOnly: whether writes are refused.
    ///   - schemaVersion: the version of the classes.
    ///   - migrationBlock: what to do when the file has a lower version.
    ///   - objectTypes: the classes that the file shall know when it is opened.
    ///   - durability: when a commit counts as done.
    ///   - mapReservation: address space to reserve, in bytes.
    ///   - writeTimeout: how long a write waits for the write lock.
    ///   - idleLimit: how long a realm may stay unread before it is moved.
    ///   - maximumLag: how long a realm that is read may be behind the newest version.
    ///   - maximumLagBytes: by how many bytes the file may have grown meanwhile.
    ///   - pinBudget: what a pinned version may cost.
    ///   - maximumNumberOfActiveVersions: how many versions there may be when a write begins.
    ///   - shouldCompactOnLaunch: whether the file is written anew at its first opening.
    ///   - seedFilePath: what a new file begins as a copy of.
    ///   - deleteRealmIfMigrationNeeded: whether a file is removed whose classes do not fit.
    ///   - encryptionKey: must be nil.
    ///   - logger: where the store logs.
    ///   - tracksObservation: whether reads inside `withObservationTracking` are tracked.
    ///   - isDynamic: whether the file is opened whatever its schema version is.
    public init(
      fileURL: URL? = nil, inMemoryIdentifier: String? = nil, readOnly: Bool = false,
      schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
      objectTypes: [ObjectBase.Type]? = nil, durability: Durability = .full,
      mapReservation: Int? = nil, writeTimeout: Duration = .seconds(30),
      idleLimit: Duration = .seconds(5), maximumLag: Duration = .seconds(10),
      maximumLagBytes: Int = 64 << 20, pinBudget: PinBudget = PinBudget(),
      maximumNumberOfActiveVersions: UInt? = nil,
      shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)? = nil,
      seedFilePath: URL? = nil, deleteRealmIfMigrationNeeded: Bool = false,
      encryptionKey: Data? = nil, logger: Logger? = nil, tracksObservation: Bool = false,
      isDynamic: Bool = false
    ) {
      self.fileURL =
        inMemoryIdentifier == nil ? fileURL ?? Configuration.initialURL : nil
      self.inMemoryIdentifier = inMemoryIdentifier
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.objectTypes = objectTypes
      self.durability = durability
      self.mapReservation = mapReservation
      self.writeTimeout = writeTimeout
      self.idleLimit = idleLimit
      self.maximumLag = maximumLag
      self.maximumLagBytes = maximumLagBytes
      self.pinBudget = pinBudget
      self.maximumNumberOfActiveVersions = maximumNumberOfActiveVersions
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.seedFilePath = seedFilePath
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.encryptionKey = encryptionKey
      self.logger = logger
      self.tracksObservation = tracksObservation
      self.isDynamic = isDynamic
    }

    private static var initialURL: URL {
      URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "default.varve")
    }

    private mutating func forgetStore() { box = StoreBox() }

    /// The open store.
    package func store() throws -> Store {
      if let store = box.open { return store }
      return try openStore()
    }
  }
}
