import BenchmarkKit

extension DictionaryEngine: ObservingEngine {
  func observe(_ collection: ObservedCollection) throws -> any Observation {
    DictionaryObservation<Kind>(store: store, collection: collection)
  }
}

extension DictionaryEngine: ListeningEngine {
  /// Returns a call for every second commit and for the last. The call of number n is at time n.
  func listen(upTo last: Int, while work: () throws -> Void) throws -> [ObservedNumber] {
    try work()
    let numbers = (1...last).filter { $0 % 2 == 0 || $0 == last }
      .map { ObservedNumber(number: $0, time: Double($0)) }
    return Kind.flaw == nil ? numbers : numbers.dropLast()
  }
}

/// Delivers changes, or the whole state of the sorted collection: engines do one or the other.
private struct DictionaryObservation<Kind: EngineKind>: Observation {
  let store: DictionaryStore
  let collection: ObservedCollection

  func commit(_ change: CollectionChange) throws -> ObservedCommit {
    let content = store.write { contents in
      let (old, new) = apply(change, &contents)
      return collection == .sorted
        ? state(contents) : .changes(old: old, new: Kind.flaw == nil ? new : new + 1)
    }
    return ObservedCommit(TimedCommit(began: 1, returned: 2), calledAt: 3, content: content)
  }

  func end() {}

  private func apply(
    _ change: CollectionChange, _ contents: inout DictionaryStore.Contents
  ) -> (old: Int, new: Int) {
    switch change {
    case .persons(let raised, let deleted, let inserted):
      for id in raised { contents.persons[id]?.score += ObservedCollection.raise }
      contents.persons[deleted] = nil
      contents.persons[inserted.id] = inserted
      return (raised.count + 1, raised.count + 1)
    case .list(let element, let index):
      contents.list.insert(element, at: min(index, contents.list.count))
      return (0, 1)
    case .map(let key, let value):
      contents.map[key] = value
      return (1, 1)
    }
  }

  private func state(_ contents: DictionaryStore.Contents) -> ObservedCommit.Content {
    let sum = contents.persons.values.reduce(0) { $0 + $1.score }
    return .state(count: contents.persons.count, sum: Kind.flaw == nil ? sum : sum - 1)
  }
}
