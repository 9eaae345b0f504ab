/// Something that runs workloads on one engine.
package protocol Worker {
  /// The engine's name.
  var name: String { get }

  /// The most objects that the engine is given in a workload.
  func largestCount(of workload: Workload) -> Int

  /// Runs a workload once.
  ///
  /// - Parameters:
  ///   - workload: The workload.
  ///   - size: One of its sizes.
  /// - Returns: What was measured and checked.
  /// - Throws: ``NotOffered`` and ``BenchmarkError``.
  func measure(_ workload: Workload, size: Int) throws -> [Sample]
}

/// Runs workloads on engines, in turns: each repeat of one comes between the same of the others, so that what the machine
/// does meanwhile falls upon all.
package struct Schedule {
  package var workloads: [Workload]
  package var scale: Double
  package var repeats: Int

  package init(_ workloads: [Workload], scale: Double, repeats: Int) {
    self.workloads = workloads
    self.scale = scale
    self.repeats = repeats
  }

  /// Runs everything.
  ///
  /// - Parameters:
  ///   - workers: One for each engine.
  ///   - refused: Is told once why an engine does not do a workload, or has failed in it; it is asked no more for that.
  ///   - report: Is given each result when its last repeat is over.
  /// - Throws: The last failure, when all is over; what `refused` and `report` throw.
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
          // Nobody is always the first.
          for place in workers.indices {
            let worker = workers[(place + turn) % workers.count]
            let largest = worker.largestCount(of: workload)
            let itsSize = min(size, largest)
            // The largest size stands for those that are cut to it.
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
