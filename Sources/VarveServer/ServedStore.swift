#if Server
  import Foundation
  import Logging
  import Metrics
  import Varve
  import VarveCore

  /// An open store of a service, with its metrics.
  struct ServedStore: Sendable {
    let configuration: Realm.Configuration
    let store: Store
    let metrics: StoreMetrics

    /// - Throws: The errors of `Realm(configuration:)`.
    init(_ configuration: Realm.Configuration, _ factory: any MetricsFactory) throws {
      self.configuration = configuration
      store = try Realm(configuration: configuration).store
      metrics = StoreMetrics(of: store, named: configuration.storeName, factory)
    }

    /// Updates the meters.
    func sample(_ logger: Logger) {
      do {
        metrics.set(try store.storageUse(), of: store)
      } catch  where error.code == .closed {
        // The program has closed it by itself.
      } catch {
        logger.warning("The metrics could not be read.", metadata: metadata(error))
      }
    }

    /// Waits for the writes, and closes the store. A cancellation ends the wait.
    ///
    /// - Throws: `Realm.Error`.
    func close(_ logger: Logger) async throws {
      while store.isWritingAsynchronously, !Task.isCancelled { try? await Task.sleep(for: pause) }
      while true {
        do {
          return try Realm.close(configuration)
        } catch Realm.Error.Code.busy where !Task.isCancelled {
          try? await Task.sleep(for: pause)
        } catch {
          logger.error("The store could not be closed.", metadata: metadata(error))
          throw error
        }
      }
    }

    private var pause: Duration { .milliseconds(5) }

    private func metadata(_ error: any Error) -> Logger.Metadata {
      ["store": "\(configuration.storeName)", "error": "\(error)"]
    }
  }

  extension Realm.Configuration {
    /// The name by which metrics and spans show the store.
    var storeName: String { inMemoryIdentifier ?? fileURL?.lastPathComponent ?? "" }
  }
#endif
