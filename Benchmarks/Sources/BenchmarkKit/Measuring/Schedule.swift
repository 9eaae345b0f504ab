/// Runs workloads on one engine.
package protocol Worker {
  /// The engine's name.
  var name: String { get }

  /// The maximum number of objects that the engine gets in a workload.
  func largestCount(of workload: Workload) -> Int

  /// Runs a workload once.
  ///
  /// - Parameter size: One of the sizes of the workload.
  /// - Returns: The checked measurements.
  /// - Throws: ``NotOffered`` and ``BenchmarkError``.
  func measure(_ workload: Workload, size: Int) throws -> [Sample]
}

/// Runs workloads on engines in turns: each repeat on one engine is placed between the same repeats
/// on the others, so that disturbances of the machine affect all engines.
package struct Schedule {
  package var workloads: [Workload]
  package var scale: Double
  package var repeats: Int

  package init(_ workloads: [Workload], scale: Double, repeats: Int) {
    self.workloads = workloads
    self.scale = scale
    self.repeats = repeats
  }

  /// Runs all workloads.
  ///
  /// - Parameters:
  ///   - workers: One worker for each engine.
  ///   - refused: Receives once the reason why an engine does not run a workload or failed in it.
  ///     The workload is not run on this engine again.
  ///   - report: Receives each result after its last repeat.
  /// - Throws: The last failure, after all workloads; any error of `refused` and `report`.
  package func run(
    on workers: [any Worker], refused: (WorkloadRefusal) throws -> Void = { _ in },
    report: (WorkloadResult) throws -> Void
  ) throws {
    var failure: (any Error)?
    for workload in workloads {
      let sizes = workload.sizes(scale: scale)
      var refusing: Set<String> = []
      for (index, size) in sizes.enumerated() {
        var samples: [String: [[Sample]]] = [:]
        for turn in 0..<repeats {
          // The first engine changes with each turn.
          for position in workers.indices {
            let worker = workers[(position + turn) % workers.count]
            let largest = worker.largestCount(of: workload)
            let itsSize = min(size, largest)
            // The largest size represents all sizes that are limited to it.
            guard !refusing.contains(worker.name),
              index == sizes.count - 1 || size < largest
            else { continue }
            do {
              samples[worker.name, default: []].append(
                try worker.measure(workload, size: itsSize))
            } catch {
              samples[worker.name] = nil
              refusing.insert(worker.name)
              if !(error is NotOffered) { failure = error }
              try refused(
                WorkloadRefusal(engine: worker.name, workload: workload, error: error))
            }
          }
        }
        for worker in workers {
          for result in results(workload, worker.name, samples[worker.name] ?? []) {
            try report(result)
          }
        }
      }
    }
    if let failure { throw failure }
  }

  private func results(
    _ workload: Workload, _ engine: String, _ repeats: [[Sample]]
  ) -> [WorkloadResult] {
    let variants = repeats.first?.map(\.variant) ?? []
    return variants.map { variant in
      WorkloadResult(
        engine: engine, workload: workload,
        samples: repeats.compactMap { $0.first { $0.variant == variant } })
    }
  }
}
