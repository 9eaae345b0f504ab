public import Foundation
import Logging
package import VarveCore

/// A view of a store: everything reached from it reads one version.
///
/// ```swift
/// let realm = try Realm()
/// try await realm.write { realm.add(Dog(value: ["name": "Rex"])) }
/// let old = realm.objects(Dog.self).where { $0.age > 5 }.sorted(by: \.name)
/// ```
///
/// A realm is cheap to make: make one for each unit of work, such as the handling of a request. It
/// moves to a newer version only at defined points: ``refresh()``, the begin and the commit of a write
/// that it takes part in, by a job on its queue or actor if it was made with
/// ``init(configuration:queue:)`` or ``init(configuration:actor:)``, when it has not been read for
/// the configuration's ``Configuration/idleLimit``, and when it has been behind the newest version for
/// ``Configuration/maximumLag`` though it is read. One that tracks reads also follows commits while somebody
/// waits for a change; see ``Configuration/tracksObservation``. Work that must keep its version uses ``freeze(file:line:)``.
///
/// Thread safety: any thread or task may use a realm and all that is reached from it.
///
/// Processes: any number of processes may open, read and write one file.
public final class Realm: Sendable {
  /// What the realm was made with; see ``context``.
  let first: ReadContext

  /// What the realm reads: another view than at first, once that was invalidated.
  package var context: ReadContext { first.current }

  package init(context: ReadContext) { first = context.withoutToken() }

  /// Opens a view of the default configuration's file; see ``init(configuration:)``.
  ///
  /// - Throws: `Realm.Error`.
  public convenience init() throws {
    try self.init(configuration: Configuration.defaultConfiguration)
  }

  /// Opens a view of the file at a URL; see ``init(configuration:)``.
  ///
  /// - Parameter fileURL: the file.
  /// - Throws: `Realm.Error`.
  public convenience init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// Opens a view of a configuration's file, at its newest version.
  ///
  /// The first call opens the file, creating it when it does not exist, and makes it know the
  /// configuration's classes. It does so on the calling thread: asynchronous code opens its files with
  /// ``open(configuration:progress:)``. The store then stays open until ``close(_:)`` or the end of the process,
  /// and further calls cost less than a microsecond. Inside a write of the store, on the writing
  /// thread, this gives the view that writes.
  ///
  /// - Parameter configuration: what to open and how.
  /// - Throws: `Realm.Error`: why the file cannot be opened, or how its schema differs from the
  ///   model's.
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
        // Another thread is just closing the store: it is opened again.
        guard error.code == .closed, attempts < 10_000 else { throw error }
        if !store.isClosed { Thread.sleep(forTimeInterval: 0.0001) }
      }
    }
  }

  /// The realm that a context reads; nil once it was invalidated.
  static func of(_ context: ReadContext) -> Realm? {
    context.view?.pin.isInvalidated == true ? nil : Realm(context: context)
  }

  package var store: Store { context.store }

  /// The version that the realm reads.
  public var version: Version { Version(context.version) }

  /// Whether the realm is pinned to one version.
  public var isFrozen: Bool { context.isFrozen }

  /// Whether the calling thread is inside a write of the store.
  public var isInWriteTransaction: Bool { !isFrozen && store.isWritingThread }

  /// What the file was opened with first in this process.
  public var configuration: Configuration {
    store.configuration as? Configuration ?? .defaultConfiguration
  }

  /// Moves the realm to the newest version.
  ///
  /// - Returns: whether the version changed. A frozen realm does not move.
  /// - Throws: `Realm.Error` when the newest version cannot be read; the realm then stays where it is.
  @discardableResult
  public func refresh() throws -> Bool {
    guard let view = context.view, !store.isWritingThread else { return false }
    return try Error.translating { try view.refresh() }
  }

  /// The realm pinned to the version that it reads now; inside a write, to the version before it.
  ///
  /// A frozen realm pins its version: pages that it needs are not used again while it lives, and the
  /// file grows with what is written meanwhile.
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the frozen value.
  /// - Complexity: O(1); nothing is copied.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Realm {
    context.isFrozen ? self : Realm(context: context.frozenContext(at: CallSite(file, line)))
  }

  /// The live realm: the one that this was frozen from, or a fresh one if that is gone.
  ///
  /// - Throws: `Realm.Error` when a fresh one cannot be made.
  public func thaw() throws -> Realm {
    guard context.isFrozen else { return self }
    return Realm(context: try Error.translating { try context.thawedContext() })
  }

  /// Invalidates every live object and collection that was reached from the realm, and lets go of its version.
  ///
  /// They are invalid for ever, and read as if what they stood for had been deleted; frozen ones stay as they are. The
  /// realm itself goes on, at the newest version: what is reached from it from now on is valid. Observers go on too.
  ///
  /// A write that the thread began with ``beginWrite()`` is cancelled before. Inside the closure of a write of the store
  /// it dooms the write with `.alreadyInWriteTransaction`, and does nothing else. Nothing happens to a frozen realm, and to
  /// one of a store that is closed.
  ///
  /// - Complexity: that of opening a realm; objects are not visited.
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
      // There is nothing to go on with: the realm stays as it is.
      store.logger.warning("A realm was not invalidated.", metadata: ["error": "\(error)"])
    }
  }
}

extension Realm: Hashable {
  /// Whether two realms are views of one store.
  public static func == (left: Realm, right: Realm) -> Bool { left.store === right.store }

  /// Hashes the store.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(store)) }
}

extension Realm {
  /// A version of a file: the history that it belongs to, and the number of its commit.
  ///
  /// Numbers of one history increase strictly with the commits. Versions of different histories, such
  /// as before and after a backup was restored, are never equal.
  public struct Version: Hashable, Sendable, CustomStringConvertible {
    private let version: FileVersion

    init(_ version: FileVersion) { self.version = version }

    /// The number of the commit in its history.
    public var number: UInt64 { version.number }

    /// The number.
    public var description: String { "\(number)" }
  }
}
