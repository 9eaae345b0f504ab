public import Foundation
public import Logging
package import VarveCore

extension Realm {
  /// The location of a store, and the options to open it with.
  ///
  /// ```swift
  /// var configuration = Realm.Configuration(fileURL: URL(filePath: "shop.varve"))
  /// configuration.objectTypes = [Order.self, Customer.self]
  /// let realm = try Realm(configuration: configuration)
  /// ```
  ///
  /// While a file is open in a process, the options that it was first opened with apply to all of
  /// its realms, except ``objectTypes``, ``migrationBlock``, ``isDynamic``,
  /// ``deleteRealmIfMigrationNeeded`` and ``tracksObservation``. Opening it with another
  /// ``readOnly``, ``durability`` or ``schemaVersion`` throws `.alreadyOpen`.
  ///
  /// Keep a configuration instead of creating it for each realm: it refers to the store that it has
  /// opened, so that further realms are created without looking up the file.
  public struct Configuration: Sendable {
    /// The point at which a commit is complete.
    public enum Durability: Sendable, Hashable {
      /// Each commit is on disk when the write returns.
      case full
      /// A power failure may destroy the file. Use it for tests and caches.
      ///
      /// The mode would put the commits of other processes at risk too. Opening a file that another
      /// process has open with ``full`` therefore throws `.alreadyOpen`, and so does the reverse.
      case none
    }

    /// The configuration of `Realm()`. Initially, it names the file `default.varve` in the working
    /// directory.
    ///
    /// In a test that uses a store of its own through the module VarveTesting, this is the default
    /// of that test alone.
    public static var defaultConfiguration: Configuration {
      get { DefaultConfiguration.current.value }
      set { DefaultConfiguration.current.value = newValue }
    }

    /// The URL of the file; nil when ``inMemoryIdentifier`` is set.
    ///
    /// Opening throws `.fileAccess` for a URL that does not name a local file, such as a URL with
    /// another scheme.
    public var fileURL: URL? {
      didSet {
        if fileURL != nil { inMemoryIdentifier = nil }
        forgetStore()
      }
    }

    /// The identifier of a store in memory; nil when ``fileURL`` is set.
    ///
    /// The realms of a process with the same identifier share the store. The store is discarded by
    /// ``Realm/close(_:)`` or at the end of the process. See <doc:Testing>.
    public var inMemoryIdentifier: String? {
      didSet {
        if inMemoryIdentifier != nil { fileURL = nil }
        forgetStore()
      }
    }

    /// The classes that opening registers in the file.
    ///
    /// The default, nil, stands for all classes with ``Model()`` that are compiled into the
    /// program. Each of them is registered by the first write that uses it.
    ///
    /// Opening compares the classes with the file, and throws `.schemaMismatch` with every
    /// difference that needs a migration. With nil, it compares the classes that the file contains.
    /// Generic classes, classes declared in extensions, and classes that share their name with
    /// another class of the program are compared at opening only when they are listed. Otherwise
    /// they are compared at their first use: a write throws, and a read finds no objects and logs
    /// an error once.
    public var objectTypes: [ObjectBase.Type]? { didSet { forgetStore() } }

    /// Whether writes throw `.readOnly`. A file that is opened read-only must exist.
    ///
    /// Commits of other processes do not notify a read-only store. Its observers and sequences
    /// deliver at most the initial state, and no job on a queue or an actor moves its realms.
    public var readOnly: Bool { didSet { forgetStore() } }

    /// The version of the classes, which the file stores.
    ///
    /// Increase it when the classes differ from the file by more than additions. Opening then
    /// migrates the file; see ``migrationBlock``.
    ///
    /// Opening a file that has a higher version throws `.schemaVersionTooLow`. So do writes and
    /// refreshes once another process has migrated the file to a higher version.
    public var schemaVersion: UInt64 { didSet { forgetStore() } }

    /// A closure that migrates a file whose version is lower than ``schemaVersion``; see
    /// ``Realm/Migration``.
    ///
    /// It is called after new properties of ``objectTypes`` were added, and before properties that
    /// are no longer declared are removed. Without a block, the file is migrated all the same.
    ///
    /// The block runs inside one write transaction. If it throws, the transaction is rolled back
    /// and opening rethrows the error. It is not called for a new file. When several processes open
    /// the file at the same time, one of them migrates it, and the others wait for
    /// ``writeTimeout``, as for any write. See <doc:Migrations>.
    public var migrationBlock: MigrationBlock? { didSet { forgetStore() } }

    /// Whether the file is opened whatever its schema version.
    ///
    /// Use it for programs that read with ``Realm/dynamicObjects(_:)`` and do not declare the
    /// file's classes. ``schemaVersion`` and ``migrationBlock`` are then ignored.
    public var isDynamic: Bool { didSet { forgetStore() } }

    /// The point at which a commit is complete.
    public var durability: Durability { didSet { forgetStore() } }

    /// The address space to reserve for the file, in bytes.
    ///
    /// The default, nil, reserves 16 GiB, or 8 times the size of the file if that is more. The
    /// reservation uses neither memory nor disk space, and grows when it is used up. A size below
    /// the file's need is raised to it. A size that is not positive, or beyond 128 TiB, makes
    /// opening throw `.invalidInput`.
    public var mapReservation: Int? { didSet { forgetStore() } }

    /// The time that a write waits for the write lock before it throws `.busy`; 30 seconds.
    ///
    /// Opening waits as long, and at least one second, for another process that is opening the
    /// file.
    public var writeTimeout: Duration { didSet { forgetStore() } }

    /// The time without a read after which a realm follows the commits; 50 milliseconds.
    ///
    /// An idle realm pins no old version: it is moved within milliseconds of a commit of any thread
    /// or process, and its next read sees the newest version. A tenth of the limit suffices when
    /// the file has grown by a mebibyte since the version of the realm. A unit of work that pauses
    /// for longer and needs one version uses ``Realm/freeze(file:line:)``, or a longer limit.
    ///
    /// A realm with a queue, an actor, observers or tracked reads is moved by them. If it is not
    /// read for the limit, counted in whole seconds and at least one, it is moved too. A realm
    /// whose ``Realm/autorefresh`` is false is not moved.
    public var idleLimit: Duration { didSet { forgetStore() } }

    /// The time that a realm may be behind the newest version, while it is being read, before it is
    /// moved; 10 seconds.
    ///
    /// The realm is moved between two reads, after one second at the earliest, and never inside a
    /// write. An iterator keeps the elements that it started with; their properties are read in the
    /// version that the realm has then. A unit of work that takes longer, and needs one version,
    /// uses ``Realm/freeze(file:line:)``. A realm with a queue or an actor, and a realm whose
    /// ``Realm/autorefresh`` is false, are not moved by this limit. A negative limit makes opening
    /// throw `.invalidInput`.
    public var maximumLag: Duration { didSet { forgetStore() } }

    /// The number of bytes that the file may grow by before a realm that is behind the newest
    /// version is moved; 64 MiB.
    ///
    /// The realm is moved as described for ``maximumLag``. A negative limit makes opening throw
    /// `.invalidInput`.
    public var maximumLagBytes: Int { didSet { forgetStore() } }

    /// The limits on the cost of pinned versions, and the action taken past a limit: a
    /// warning after a minute, or at 1 GiB.
    ///
    /// A negative limit makes opening throw `.invalidInput`.
    public var pinBudget: PinBudget { didSet { forgetStore() } }

    /// The maximum number of versions, from the oldest that any process pins to the newest, at the
    /// beginning of a write; nil for no limit.
    ///
    /// When there are more, beginning a write throws `.tooManyVersions`, and the error names the
    /// holders of the oldest version. A typical cause is a frozen value that is kept.
    public var maximumNumberOfActiveVersions: UInt? { didSet { forgetStore() } }

    /// A closure that decides whether the file is rewritten without its free pages when it is
    /// opened.
    ///
    /// The closure is called when no process has the file open, with the size of the file and the
    /// number of bytes in use. If compaction fails, for example because the disk is full, an error
    /// is logged and the file is opened unchanged. A file with leaked pages (see
    /// ``Realm/CheckReport/leakedPageCount``) is never compacted, and a warning is logged. The
    /// versions of a compacted file form another history. The closure is not called for read-only
    /// stores and stores in memory.
    ///
    /// ``Realm/open(configuration:progress:)`` reports the progress of the compaction and can be
    /// cancelled.
    ///
    /// While the closure runs, no thread can open a file, so the closure must not open one.
    public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)? {
      didSet { forgetStore() }
    }

    /// The file that a new store is copied from.
    ///
    /// The seed, such as a file that ``Realm/writeCopy(toFile:encryptionKey:progress:)`` wrote, is
    /// read only if the store's file does not exist yet. The copy is checked before it is used, and
    /// its versions form another history. Read-only stores and stores in memory ignore the seed.
    public var seedFilePath: URL? { didSet { forgetStore() } }

    /// Whether the first opening of the file in the process checks the whole file, as
    /// `Realm.check()` does.
    ///
    /// If the check finds a problem, opening throws `.corrupted` with the first problems in
    /// ``Realm/Error/details``, and the file stays closed. Use it for files that come from
    /// elsewhere. The check reads the whole file; no thread can open another file meanwhile.
    /// ``Realm/open(configuration:progress:)`` can be cancelled during the check. See
    /// <doc:DamagedFiles>.
    public var checksOnOpening: Bool { didSet { forgetStore() } }

    /// Whether a file that needs a migration is deleted, with all its contents, and created again.
    ///
    /// This applies to a file whose classes do not match ``objectTypes``, or that has a higher
    /// ``schemaVersion``. Use it for caches, and while a model changes often. A file is kept when
    /// additions are enough to make its classes match.
    ///
    /// When the property is false, opening migrates the file, or throws `.schemaMismatch` or
    /// `.schemaVersionTooLow`. When it is true, opening throws these errors only while the file is
    /// open elsewhere, in this process or another.
    public var deleteRealmIfMigrationNeeded: Bool { didSet { forgetStore() } }

    /// Must be nil: files cannot be encrypted, because LMDB maps them as they are.
    ///
    /// With a key, opening throws `.invalidInput` before it accesses any file. Encrypt the disk
    /// instead.
    public var encryptionKey: Data? { didSet { forgetStore() } }

    /// The logger of the store, which adds the path of the file as metadata. With nil, a logger
    /// with the label `varve` is used.
    ///
    /// The logger's level decides which messages are logged. The messages of all stores are logged
    /// one after another, on a thread that nothing else waits for.
    public var logger: Logger? { didSet { forgetStore() } }

    /// Whether reads inside `withObservationTracking`, and in the closure of `Observations`, are
    /// tracked.
    ///
    /// Realms of this configuration, and everything read from them, then report changes to tracked
    /// reads, and follow commits while an observer waits for a change. The setting belongs to the
    /// realm, not to the file. A read through a tracking realm costs about 50 ns more.
    public var tracksObservation: Bool

    var box = StoreBox()

    /// Creates a configuration.
    ///
    /// See the property of the same name for each parameter. `inMemoryIdentifier` takes precedence
    /// over `fileURL`. Without either, the file is `default.varve` in the working directory.
    public init(
      fileURL: URL? = nil, inMemoryIdentifier: String? = nil, readOnly: Bool = false,
      schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
      objectTypes: [ObjectBase.Type]? = nil, durability: Durability = .full,
      mapReservation: Int? = nil, writeTimeout: Duration = .seconds(30),
      idleLimit: Duration = .milliseconds(50), maximumLag: Duration = .seconds(10),
      maximumLagBytes: Int = 64 << 20, pinBudget: PinBudget = PinBudget(),
      maximumNumberOfActiveVersions: UInt? = nil,
      shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)? = nil,
      seedFilePath: URL? = nil, deleteRealmIfMigrationNeeded: Bool = false,
      encryptionKey: Data? = nil, logger: Logger? = nil, tracksObservation: Bool = false,
      isDynamic: Bool = false, checksOnOpening: Bool = false
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
      self.checksOnOpening = checksOnOpening
    }

    private static var initialURL: URL {
      URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "default.varve")
    }

    private mutating func forgetStore() { box = StoreBox() }

    /// The open store, which is opened if necessary.
    package func store() throws -> Store {
      if let store = box.open { return store }
      return try openStore()
    }
  }
}
