import Synchronization

/// W10: tasks of a server read and write the issues of an issue tracker.
extension Workload {
  static let servers: [Workload] = [
    server(
      "W10a",
      "20,000 requests by 16 tasks: 80 % reads by key, 10 % pages of 20, 8 % patches, 2 % creates",
      20_000, .server),
    server("W10b", "5,000 durable patches of one issue each, by 16 tasks", 5000, .patches),
    server(
      "W10c", "1,000 durable creates of one issue each with the next id, by 16 tasks", 1000,
      .creates),
  ]

  /// The number of tasks that serve requests.
  static let serverTasks = 16

  private static func server(
    _ name: String, _ summary: String, _ count: Int, _ mix: ServerMix
  ) -> Workload {
    Workload(name, summary, count, on: .issues, stored: 50_000, changesStore: true) {
      (engine: any ServerEngine, context) in
      let requests = (0..<serverTasks).map {
        mix.requests(
          ofTask: $0, of: serverTasks, count: max(1, context.count / serverTasks),
          stored: context.stored)
      }
      let log = Mutex(ServerLog())
      let start = ContinuousClock.now
      try ConcurrentTasks.run(serverTasks) { task in
        var own = ServerLog()
        for request in requests[task] { try await own.serve(request, by: engine, context) }
        log.withLock { $0.add(own) }
      }
      let elapsed = (ContinuousClock.now - start) / .seconds(1)
      let peak = ResidentMemory.peak()
      let served = log.withLock { $0 }
      try served.check(engine, context)
      try context.writeBack()
      var samples = [context.sample(elapsed, operations: requests.reduce(0) { $0 + $1.count })]
      for kind in ServerRequest.Kind.allCases {
        guard let seconds = served.seconds[kind] else { continue }
        samples.append(context.sample(latencies: seconds, variant: "-\(kind)"))
      }
      for index in samples.indices { samples[index].peakResidentBytes = peak }
      return samples
    }
  }
}
