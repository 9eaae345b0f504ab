#if Server
  import Metrics
  import VarveCore

  /// The metrics of a store.
  ///
  /// Thread safety: the events of the store come from any thread.
  final class StoreMetrics: Sendable {
    private let waitingWriters, observers, fileBytes, liveBytes, pinnedBytes: Meter
    private let counters: [Counter]
    private let timers: [Timer]
    private let store: Store
    private let registration: StoreEvents.Registration

    init(of store: Store, named name: String, _ factory: any MetricsFactory) {
      let dimensions = [("store", name)]
      func meter(_ label: String) -> Meter {
        Meter(label: label, dimensions: dimensions, factory: factory)
      }
      func counter(_ label: String) -> Counter {
        Counter(label: label, dimensions: dimensions, factory: factory)
      }
      func timer(_ label: String) -> Timer {
        Timer(label: label, dimensions: dimensions, factory: factory)
      }
      waitingWriters = meter("varve_waiting_writers")
      observers = meter("varve_observers")
      fileBytes = meter("varve_file_bytes")
      liveBytes = meter("varve_live_bytes")
      pinnedBytes = meter("varve_pinned_bytes")
      let commits = counter("varve_commits")
      let commitFailures = counter("varve_commit_failures")
      let commitDuration = timer("varve_commit_duration")
      let writeWait = timer("varve_write_wait")
      let deliveries = counter("varve_deliveries")
      counters = [commits, commitFailures, deliveries]
      timers = [commitDuration, writeWait]
      self.store = store
      registration = store.events.add { event in
        switch event {
        case .commit(let duration):
          commits.increment()
          commitDuration.record(duration: duration)
        case .failedCommit: commitFailures.increment()
        case .wait(let duration): writeWait.record(duration: duration)
        case .delivery: deliveries.increment()
        }
      }
    }

    /// Ends the updates, and removes the metrics from the backend.
    func stop() {
      store.events.remove(registration)
      for meter in [waitingWriters, observers, fileBytes, liveBytes, pinnedBytes] {
        meter.destroy()
      }
      for counter in counters { counter.destroy() }
      for timer in timers { timer.destroy() }
    }

    func set(_ use: StorageUse, of store: Store) {
      waitingWriters.set(store.waitingWriterCount)
      observers.set(store.observerCount)
      fileBytes.set(use.totalBytes)
      liveBytes.set(use.liveBytes)
      pinnedBytes.set(use.pinnedBytes)
    }
  }
#endif
