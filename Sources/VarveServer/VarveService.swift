#if Server
  public import Logging
  public import Metrics
  public import ServiceLifecycle
  import Synchronization
  public import Varve

  /// A service that opens stores, reports their metrics, and closes them at the end.
  ///
  /// ```swift
  /// let stores = VarveService(configuration, logger: logger)
  /// try await stores.open()
  /// let group = ServiceGroup(services: [stores, server], gracefulShutdownSignals: [.sigterm], logger: logger)
  /// try await group.run()
  /// ```
  ///
  /// Name it before the services that use the stores: a `ServiceGroup` shuts down the last service
  /// first, so the stores are closed when the others have ended. It starts all services at once: a
  /// service that must find the stores open waits for ``open()``, which may be called any number of
  /// times.
  ///
  /// A sequence of changes does not end by itself while a service shuts down. Iterate it with
  /// `cancelOnGracefulShutdown()` in a response that lasts as long as its connection:
  ///
  /// ```swift
  /// for await change in tasks.changes.cancelOnGracefulShutdown() { … }
  /// ```
  ///
  /// ## Metrics
  ///
  /// Each metric has the dimension `store`, the path of the file. The counts and durations are those
  /// of this process; the sizes are those of the file.
  ///
  /// | name | kind | value |
  /// |---|---|---|
  /// | `varve_commits` | counter | commits; asynchronous writes that share a commit count once |
  /// | `varve_commit_failures` | counter | failed commits, as on a full disk; not writes that throw |
  /// | `varve_commit_duration` | timer | from the end of the closure of a write to its durable commit |
  /// | `varve_write_wait` | timer | from the request of a write to the call of its closure, or to `.busy` |
  /// | `varve_waiting_writers` | meter | writes that wait for their turn |
  /// | `varve_observers` | meter | observers, and iterators of change sequences |
  /// | `varve_deliveries` | counter | initial states and changes that observers received |
  /// | `varve_file_bytes` | meter | `Realm.StorageReport.totalBytes` |
  /// | `varve_live_bytes` | meter | `Realm.StorageReport.liveBytes` |
  /// | `varve_pinned_bytes` | meter | `Realm.StorageReport.pinnedBytes` |
  ///
  /// Counters and timers are updated with each event, meters once per interval.
  ///
  /// Thread safety: any thread may use it.
  ///
  /// Unstable: a minor release before 1.0 may change this product, and the names of its metrics.
  public final class VarveService: Service {
    private enum State {
      case idle
      /// The stores are open, and their events are counted.
      case open([ServedStore])
      case ended
    }
    private let configurations: [Realm.Configuration]
    /// The lock guards the state.
    private let state = Mutex(State.idle)
    private let interval: Duration
    private let factory: any MetricsFactory
    private let logger: Logger

    /// Creates a service for stores. It opens nothing.
    ///
    /// - Parameters:
    ///   - configurations: The stores.
    ///   - interval: The time between two updates of the meters.
    ///   - factory: The metrics backend; nil for that of the process.
    ///   - logger: Receives messages of the service. The stores log as before.
    public init(
      _ configurations: Realm.Configuration..., metricsInterval interval: Duration = .seconds(10),
      factory: (any MetricsFactory)? = nil, logger: Logger = Logger(label: "varve.service")
    ) {
      self.configurations = configurations
      self.interval = interval
      self.factory = factory ?? MetricsSystem.factory
      self.logger = logger
    }

    /// Opens the stores that are not open, with their migrations, and begins to count their events.
    ///
    /// - Throws: The errors of `Realm.open(configuration:progress:)`. `CancellationError` when
    ///   ``run()`` has ended.
    public func open() async throws {
      var realms: [Realm] = []
      for configuration in configurations {
        realms.append(try await Realm.open(configuration: configuration))
      }
      let isOpen = state.withLock { state in
        switch state {
        case .idle:
          state = .open(
            zip(configurations, realms).map { ServedStore($0, $1.store, factory) })
          return true
        case .open: return true
        case .ended: return false
        }
      }
      guard isOpen else {
        closeUnserved()
        throw CancellationError()
      }
    }

    /// Opens the stores, and reports their metrics until the service is shut down or its task is
    /// cancelled. Then it refuses new asynchronous writes, waits for those that run or wait, and
    /// closes the stores. A thread that waits for another process with a synchronous write gets
    /// `.closed`. A service runs once.
    ///
    /// - Throws: The errors of ``open()``, after which the stores are closed; `Realm.Error` when a
    ///   store could not be closed: `.busy` when the task was cancelled during a write.
    public func run() async throws {
      defer { end() }
      do {
        try await open()
      } catch {
        end()
        closeUnserved()
        throw error
      }
      guard case .open(let stores) = state.withLock({ $0 }) else { throw CancellationError() }
      do {
        try await cancelWhenGracefulShutdown { [interval, logger] in
          while true {
            for store in stores { store.sample(logger) }
            try await Task.sleep(for: interval)
          }
        }
      } catch is CancellationError {}
      try await close(stores)
    }

    /// Closes all stores.
    ///
    /// - Throws: The first error.
    private func close(_ stores: [ServedStore]) async throws {
      var failure: (any Error)?
      for store in stores {
        do {
          try await store.close(logger)
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
    }

    /// Closes the stores that no metrics are reported of.
    private func closeUnserved() {
      for configuration in configurations {
        do {
          try Realm.close(configuration)
        } catch {
          logger.error(
            "The store could not be closed.",
            metadata: ["store": "\(configuration.storeName)", "error": "\(error)"])
        }
      }
    }

    /// Ends the metrics.
    private func end() {
      let ended = state.withLock { state in
        defer { state = .ended }
        return state
      }
      guard case .open(let stores) = ended else { return }
      for store in stores { store.metrics.stop() }
    }
  }
#else
  /// Available with the trait `Server`:
  /// `.package(url: …, traits: ["Server"])` instead of `.package(url: …)`.
  @available(*, unavailable, message: "Depend on varve with traits: [\"Server\"].")
  public final class VarveService {}
#endif
