#if Server
  import Foundation
  public import Varve
  import VarveCore

  /// Whether a store can be read and written, and the reason if it cannot.
  ///
  /// ```swift
  /// let health = await StoreHealth.check(configuration)
  /// if !health.isHealthy { print(health) }
  /// ```
  ///
  /// Thread safety: a value.
  ///
  /// Unstable: a minor release before 1.0 may change this type.
  public struct StoreHealth: Sendable {
    /// The name of the file.
    public let store: String
    /// The error of reading; nil if the store can be read.
    public let readError: (any Error)?
    /// The error of writing; nil if the store can be written, and for a read-only store.
    public let writeError: (any Error)?

    /// Whether the store can be read and, unless it is read-only, written.
    public var isHealthy: Bool { readError == nil && writeError == nil }

    /// Checks an open store. The check opens and changes nothing.
    ///
    /// It reads the newest version. Then it begins a write, which is rolled back. This detects a
    /// store that was closed, found to be damaged, deleted or replaced, writes that are refused because
    /// of a pinned version, and writes that do not end, or wait longer than the timeout. It does not
    /// detect a full disk, because a rolled back write needs no space.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the store.
    ///   - timeout: The longest wait for other writers.
    /// - Returns: The result: a write that waited too long is reported as `.busy`.
    public static func check(
      _ configuration: Realm.Configuration, timeout: Duration = .seconds(1)
    ) async -> StoreHealth {
      let name = configuration.storeName
      let store: Store
      do {
        store = try openStore(configuration)
        _ = try store.newestSnapshot()
      } catch {
        let error = Realm.Error.translated(error)
        return StoreHealth(store: name, readError: error, writeError: error)
      }
      do {
        if !configuration.readOnly { try await store.tryWrite(within: timeout) }
      } catch {
        return StoreHealth(store: name, readError: nil, writeError: Realm.Error.translated(error))
      }
      return StoreHealth(store: name, readError: nil, writeError: nil)
    }

    private static func openStore(_ configuration: Realm.Configuration) throws(Failure) -> Store {
      if let store = configuration.openedStore { return store }
      throw Failure(.closed, "The store is not open.", path: configuration.fileURL?.path)
    }
  }

  extension StoreHealth: CustomStringConvertible {
    /// The name of the store, and the errors.
    public var description: String {
      if let readError { return "\(store): \(readError)" }
      if let writeError { return "\(store): cannot be written: \(writeError)" }
      return "\(store): healthy"
    }
  }
#endif
