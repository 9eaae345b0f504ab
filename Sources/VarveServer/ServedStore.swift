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

    init(_ configuration: Realm.Configuration, _ store: Store, _ factory: any MetricsFactory) {
      self.configuration = configuration
      self.store = store
      metrics = StoreMetrics(of: store, named: configuration.storePath, factory)
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

    /// Refuses new asynchronous writes, waits for the others, and closes the store. A cancellation
    /// ends the wait.
    ///
    /// - Throws: `Realm.Error`. The store then accepts writes again.
    func close(_ logger: Logger) async throws {
      store.refuseAsyncWrites(true)
      while store.isWritingAsynchronously, !Task.isCancelled { try? await Task.sleep(for: pause) }
      while true {
        do {
          return try Realm.close(configuration)
        } catch Realm.Error.Code.busy where !Task.isCancelled {
          try? await Task.sleep(for: pause)
        } catch {
          store.refuseAsyncWrites(false)
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
    /// The name by which messages show the store.
    var storeName: String { inMemoryIdentifier ?? fileURL?.lastPathComponent ?? "" }

    /// The name by which metrics and spans show the store, which no other store has.
    var storePath: String { inMemoryIdentifier ?? fileURL?.standardizedFileURL.path ?? "" }
  }
#endif
