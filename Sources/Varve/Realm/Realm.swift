public import Foundation
import Logging
package import VarveCore

/// A connection to a store. All objects and collections that are reached from it read one version.
///
/// ```swift
/// let realm = try Realm()
/// try await realm.write { realm.add(Dog(name: "Rex")) }
/// let old = realm.objects(Dog.self).where { $0.age > 5 }.sorted(by: \.name)
/// ```
///
/// Creating a realm is cheap: create one for each unit of work, such as the handling of a request.
/// A live realm moves to a newer version only at defined points:
///
/// - at ``refresh()``;
/// - at the beginning and the commit of a write that it takes part in;
/// - after a commit, by a job on its queue or actor, if it was created with
///   ``init(configuration:queue:)`` or ``init(configuration:actor:)``;
/// - before a call of an observer that was added through it;
/// - after a commit, while its reads are tracked; see ``Configuration/tracksObservation``;
/// - when it has not been read for ``Configuration/idleLimit``;
/// - between two reads, when it has been behind the newest version for longer or at a higher cost
///   than ``Configuration/maximumLag``, ``Configuration/maximumLagBytes`` or
///   ``Configuration/pinBudget`` allow.
///
/// With ``autorefresh`` off, only a refresh or a write moves the realm. A unit of work that needs
/// one version uses ``freeze(file:line:)``.
///
/// Thread safety: any thread or task may use a realm and everything reached from it.
///
/// Processes: any number of processes may open, read and write one file.
public final class Realm: Sendable {
  /// The context that the realm was created with; see ``context``.
  let first: ReadContext

  /// The context that the realm reads: a successor of the first one, once that was invalidated.
  package var context: ReadContext { first.current }

  package init(context: ReadContext) { first = context.withoutOutcome() }

  /// Opens a realm of the default configuration; see ``init(configuration:)``.
  ///
  /// - Throws: `Realm.Error`.
  public convenience init() throws {
    try self.init(configuration: Configuration.defaultConfiguration)
  }

  /// Opens a realm of the file at a URL; see ``init(configuration:)``.
  ///
  /// The other options are those of the default configuration.
  ///
  /// - Throws: `Realm.Error`.
  public convenience init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// Opens a realm of a configuration's file, at its newest version.
  ///
  /// The first call opens the file, creates it if it does not exist, and registers the classes of
  /// ``Configuration/objectTypes``. This happens on the calling thread: asynchronous code opens its
  /// files with ``open(configuration:progress:)``. The store then stays open until ``close(_:)`` or
  /// the end of the process, and further calls with this configuration, or a copy of it, cost less
  /// than a microsecond. Inside a write of the store, on the writing thread, the initializer
  /// returns a realm that takes part in the write.
  ///
  /// - Parameter configuration: The file to open and its options.
  /// - Throws: `Realm.Error` when the file cannot be opened, or when its schema differs from the
  ///   model.
  public init(configuration: borrowing Configuration) throws {
    first = try Realm.Error.translating { try Self.firstContext(configuration) }
  }

  private static func firstContext(_ configuration: borrowing Configuration) throws -> ReadContext {
    let isTracking = configuration.tracksObservation
    var attempts = 0
    while true {
      let store: Store
      attempts += 1
      do {
        store = try configuration.store()
      } catch let failure as Failure where failure.code == .closed && attempts < 10_000 {
        Thread.sleep(forTimeInterval: 0.0001)
        continue
      }
      do throws(Failure) {
        if let view = store.writingView(isTracking: isTracking) { return ReadContext(view: view) }
        return ReadContext(view: try store.makeView(isTracking: isTracking))
      } catch {
        // Another thread is closing the store, which is opened again.
        guard error.code == .closed, attempts < 10_000 else { throw error }
        if !store.isClosed { Thread.sleep(forTimeInterval: 0.0001) }
      }
    }
  }

  /// Returns the realm that a context reads; nil once the context was invalidated.
  static func of(_ context: ReadContext) -> Realm? {
    context.view?.pin.isInvalidated == true ? nil : Realm(context: context)
  }

  package var store: Store { context.store }

  /// The version that the realm reads.
  public var version: Version { Version(context.version) }

  /// Whether the realm is pinned to one version.
  public var isFrozen: Bool { context.isFrozen }

  /// Whether the calling thread is inside a write of the store. False for a frozen realm.
  public var isInWriteTransaction: Bool { !isFrozen && store.isWritingThread }

  /// The configuration that the file was first opened with in this process.
  public var configuration: Configuration {
    store.configuration as? Configuration ?? .defaultConfiguration
  }

  /// Moves the realm to the newest version. Does nothing for a frozen realm and inside a write.
  ///
  /// - Returns: Whether the version changed.
  /// - Throws: `Realm.Error` when the newest version cannot be read. The realm then stays at its
  ///   version.
  @discardableResult
  public func refresh() throws -> Bool {
    guard let view = context.view, !store.isWritingThread else { return false }
    return try Error.translating { try view.refresh() }
  }

  /// Returns a realm that is pinned to the version that this realm reads now; inside a write, to
  /// the version before the write.
  ///
  /// A frozen realm pins its version: until it is released, with all values reached from it, the
  /// pages of the version are not reused, and the file grows with each commit.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  /// - Complexity: O(1); nothing is copied.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Realm {
    context.isFrozen ? self : Realm(context: context.frozenContext(at: CallSite(file, line)))
  }

  /// Returns the live realm that this one was frozen from, or a new live realm if that one was
  /// released.
  ///
  /// - Throws: `Realm.Error` when a new realm cannot be created.
  public func thaw() throws -> Realm {
    guard context.isFrozen else { return self }
    return Realm(context: try Error.translating { try context.thawedContext() })
  }

  /// Invalidates every live object and collection that was reached from the realm, and releases its
  /// version.
  ///
  /// The objects and collections are permanently invalid, and read as if their objects had been
  /// deleted. Frozen ones stay valid. The realm itself remains usable, at the newest version:
  /// objects and collections reached from it afterwards are valid. Observers remain active.
  ///
  /// A write that the thread began with ``beginWrite()`` is cancelled first. Inside the closure of
  /// a write of the store, the method only marks the transaction as failed with
  /// `.alreadyInWriteTransaction`. It does nothing for a frozen realm and for a realm of a closed
  /// store.
  ///
  /// - Complexity: The cost of opening a realm; objects are not visited.
  public func invalidate() {
    guard let view = context.view else { return }
    store.cancelManualWrite()
    if let transaction = store.runningTransaction(for: nil) {
      return transaction.markFailed(
        Failure(
          .alreadyInWriteTransaction, "A realm cannot be invalidated inside a write.",
          path: store.options.path))
    }
    do throws(Failure) {
      try view.invalidate()
    } catch {
      // No successor can be opened: the realm stays as it is.
      store.logger.warning("A realm was not invalidated.", metadata: ["error": "\(error)"])
    }
  }
}

extension Realm: Hashable {
  /// Whether two realms belong to one store.
  public static func == (left: Realm, right: Realm) -> Bool { left.store === right.store }

  /// Hashes the store.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(store)) }
}

extension Realm {
  /// A version of a file: the history that it belongs to, and the number of its commit.
  ///
  /// The numbers of one history increase strictly with the commits. Versions of different
  /// histories, such as before and after a backup was restored, are never equal.
  public struct Version: Hashable, Sendable, CustomStringConvertible {
    private let version: FileVersion

    init(_ version: FileVersion) { self.version = version }

    /// The number of the commit in its history.
    public var number: UInt64 { version.number }

    /// The number of the commit.
    public var description: String { "\(number)" }
  }
}
