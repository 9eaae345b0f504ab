/// W6: the time from the return of a commit to the notification, and the time including the commit,
/// since an observer may be called before the commit returns.
extension Workload {
  /// The suffix of the name of a latency that includes the commit.
  static let wholeVariant = "-whole"

  static let observations: [Workload] = [
    observation("W6-all", "commit of 12 changes to the callback, observing all objects", .all),
    observation(
      "W6-filter", "commit to the callback, observing the half that matches a condition",
      .filtered),
    observation(
      "W6-sorted", "commit to the callback, observing all objects sorted by the changed property",
      .sorted),
    observation("W6-list", "commit to the callback, one insertion in the middle of a list", .list),
    observation("W6-map", "commit to the callback, one changed value in a dictionary", .map),
  ]

  private static func observation(
    _ name: String, _ summary: String, _ collection: ObservedCollection
  ) -> Workload {
    let preparation: Preparation =
      switch collection {
      case .all, .filtered, .sorted: .persons
      case .list: .list
      case .map: .map
      }
    return Workload(
      name, summary, 10_000, 100_000, 1_000_000, on: preparation, changesStore: true,
      isLatency: true
    ) { (engine: any ObservingEngine, context) in
      var model = ObservedModel(collection, count: context.stored)
      let observation = try engine.observe(collection)
      defer { observation.end() }
      var commits: [ObservedCommit] = []
      let began = ContinuousClock.now
      // The first commits fill caches. A store in which a commit takes a second makes fewer of
      // them, and each commit deletes a person.
      for number in 0..<min(110, max(3, context.stored / 40))
      where number < 5 || ContinuousClock.now - began < .seconds(8) {
        let commit = try observation.commit(model.change())
        let isRight =
          switch commit.content {
          case .changes: commit.content == model.expectedChanges
          case .state: commit.content == model.expectedState
          }
        guard isRight else {
          throw BenchmarkError(
            "\(context.engine.name) \(context.workload) reported \(commit.content) for commit \(number)"
          )
        }
        commits.append(commit)
      }
      let counted = commits.dropFirst(commits.count / 10)
      return [
        context.sample(times: counted.map { $0.commit.latency(ofCallAt: $0.calledAt) }),
        context.sample(times: counted.map { $0.calledAt - $0.commit.began }, variant: wholeVariant),
      ]
    }
  }
}

/// Chooses the changes of commits, and models the state after each.
struct ObservedModel {
  private let collection: ObservedCollection
  private let stored: Int
  private var random = SplitMix(seed: 6)
  private var commits = 0

  private var deleted: Set<Int> = []
  private var raises: [Int: Int] = [:]
  private var values: [Int: Int] = [:]

  private var count: Int
  private var sum: Double

  init(_ collection: ObservedCollection, count stored: Int) {
    self.collection = collection
    self.stored = stored
    switch collection {
    case .all, .filtered, .sorted:
      count = 0
      sum = 0
      for id in 0..<stored {
        let person = Person(id: id)
        guard collection.contains(person) else { continue }
        count += 1
        sum += person.score
      }
    case .list, .map:
      count = stored
      sum = Double(stored) * Double(stored - 1) / 2
    }
  }

  var expectedChanges: ObservedCommit.Content {
    switch collection {
    case .all, .filtered, .sorted: .changes(old: 11, new: 11)
    case .list: .changes(old: 0, new: 1)
    case .map: .changes(old: 1, new: 1)
    }
  }

  var expectedState: ObservedCommit.Content { .state(count: count, sum: sum) }

  /// The change of the next commit.
  mutating func change() -> CollectionChange {
    defer { commits += 1 }
    switch collection {
    case .all, .filtered, .sorted: return changePersons()
    case .list:
      count += 1
      sum += Double(commits)
      return .list(element: commits, index: (count - 1) / 2)
    case .map:
      let index = Int(random.next() % UInt64(stored))
      sum -= Double(values[index] ?? index)
      values[index] = -1 - commits
      sum += Double(-1 - commits)
      return .map(key: Inputs.key(index), value: -1 - commits)
    }
  }

  private mutating func changePersons() -> CollectionChange {
    var chosen: [Int] = []
    while chosen.count < 11 {
      let id = Int(random.next() % UInt64(stored))
      guard collection.contains(Person(id: id)), !chosen.contains(id), !deleted.contains(id)
      else { continue }
      chosen.append(id)
    }
    for id in chosen.dropLast() {
      raises[id, default: 0] += 1
      sum += ObservedCollection.raise
    }
    deleted.insert(chosen[10])
    sum -=
      Person(id: chosen[10]).score + Double(raises[chosen[10]] ?? 0) * ObservedCollection.raise
    let inserted = Person(id: stored + commits, age: 60)
    sum += inserted.score
    return .persons(raised: Array(chosen.dropLast()), deleted: chosen[10], inserted: inserted)
  }
}
