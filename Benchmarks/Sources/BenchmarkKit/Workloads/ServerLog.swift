/// The work done by tasks of a server: the duration of each request, and the expected contents of
/// the store.
struct ServerLog: Sendable {
  /// The durations of the requests of each kind, in no particular order.
  private(set) var seconds: [ServerRequest.Kind: [Double]] = [:]

  /// The last patch of each patched issue.
  private var patches: [Int: IssuePatch] = [:]

  /// The id and the number of each created issue.
  private var created: [(id: Int, number: Int)] = []

  /// Serves a request, and checks the answer outside the measured time.
  ///
  /// - Throws: ``BenchmarkError`` when the answer is wrong; any error of the engine.
  mutating func serve(
    _ request: ServerRequest, by engine: any ServerEngine, _ context: WorkloadContext
  ) async throws {
    let start = ContinuousClock.now
    func note(_ log: inout ServerLog) {
      log.seconds[request.kind, default: []].append((ContinuousClock.now - start) / .seconds(1))
    }
    switch request {
    case .read(let id):
      let issue = try await engine.issue(id)
      note(&self)
      try context.check(issue?.id, id)
      // A task sees its own writes.
      if let patch = patches[id] { try context.check(issue?.title, patch.title) }
    case .page(let status):
      let issues = try await engine.newestIssues(
        ofStatus: status, limit: ServerRequest.pageLength)
      note(&self)
      try context.check(
        issues.count <= ServerRequest.pageLength && issues.allSatisfy { $0.status == status }
          && zip(issues, issues.dropFirst()).allSatisfy { $0.updated > $1.updated }, true)
    case .patch(let id, let patch):
      let isFound = try await engine.patchIssue(id, patch)
      note(&self)
      try context.check(isFound, true)
      patches[id] = patch
    case .create(let number):
      let id = try await engine.createIssue(Issue(created: number))
      note(&self)
      created.append((id, number))
    }
  }

  /// Adds the work of another task.
  mutating func add(_ other: ServerLog) {
    seconds.merge(other.seconds) { $0 + $1 }
    patches.merge(other.patches) { $1 }
    created += other.created
  }

  /// Checks the store: the ids are those of the initial and the created issues, without gaps; each
  /// patched issue has the values of its last patch, each created issue has its original values,
  /// and some others are unchanged; the full-text index and the pages have the correct results.
  ///
  /// - Throws: ``BenchmarkError`` when the store is wrong; any error of the engine.
  func check(_ engine: any ServerEngine, _ context: WorkloadContext) throws {
    let count = context.stored + created.count
    try context.check(created.map(\.id).sorted(), Array(context.stored + 1..<count + 1))
    try context.check(engine.issueIDs(), Array(1..<count + 1))
    var issues = (1..<context.stored + 1).map { Issue(id: $0) }
    for (id, number) in created.sorted(by: { $0.id < $1.id }) {
      var issue = Issue(created: number)
      issue.id = id
      issues.append(issue)
    }
    for (id, patch) in patches { issues[id - 1].apply(patch) }
    try checkWords(engine, context, issues)
    let looked = Set(patches.keys).union(created.map(\.id))
      .union(Inputs.spread(below: context.stored).map { $0 + 1 })
    let expected = issues
    try ConcurrentTasks.run(1) { _ in
      for id in looked.sorted() { try await context.check(engine.issue(id), expected[id - 1]) }
      for status in Issue.statuses {
        let page = expected.filter { $0.status == status }.sorted { $0.updated > $1.updated }
          .prefix(ServerRequest.pageLength)
        let found = try await engine.newestIssues(
          ofStatus: status, limit: ServerRequest.pageLength)
        try context.check(found, Array(page))
      }
    }
  }

  private func checkWords(
    _ engine: any ServerEngine, _ context: WorkloadContext, _ issues: [Issue]
  ) throws {
    try context.check(
      engine.issueIDs(withWord: Issue.markerOfCreated), created.map(\.id).sorted())
    let word = Issue.word(1500)
    try context.check(
      engine.issueIDs(withWord: word),
      issues.filter { $0.body.split(separator: " ").contains(Substring(word)) }.map(\.id))
  }
}
