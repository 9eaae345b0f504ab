import Synchronization
import VarveStorage

/// The answer of a query on a class in one version, for all who observe it there.
///
/// Thread safety: immutable.
final class KeptResults: Sendable {
  let query: ElementQuery
  let results: MaintainedResults
  let answer: QueryAnswer
  /// The serial number of the version.
  let serial: UInt64

  init(_ query: ElementQuery, _ results: MaintainedResults, at snapshot: Snapshot) {
    self.query = query
    self.results = results
    answer = QueryAnswer(results)
    serial = snapshot.serial
  }
}

extension KeptResults {
  /// Names the answer that another one was advanced to by a difference.
  struct AdvancedKey: DifferenceKey {
    typealias Result = KeptResults

    /// The answer before, which the step keeps.
    let old: ObjectIdentifier
  }

  /// Names a step from an answer to that of another version, for one way of watching.
  struct StepKey: DifferenceKey {
    typealias Result = Step

    let old: ObjectIdentifier
    let watched: WatchedPathNames
  }

  /// What came of advancing an answer.
  struct Step: Sendable {
    let old: KeptResults
    let new: KeptResults
    let changes: IndexChanges
  }
}

/// The answers that observers of a store keep now, so that those of equal queries share them.
///
/// Thread safety: a lock guards the answers.
package final class SharedAnswers: Sendable {
  fileprivate struct Entry {
    weak var kept: KeptResults?
  }

  fileprivate struct State {
    /// By a hash of their queries.
    var entries: [Int: [Entry]] = [:]
    /// How many answers may be noted before those are forgotten that nobody keeps.
    var left = SharedAnswers.fewest
  }

  fileprivate static let fewest = 64
  /// Guards the answers.
  private let state = Mutex(State())

  /// The answer of an equal query in a version, if somebody keeps it.
  ///
  /// - Complexity: O(size of the condition), for each query with an equal hash.
  func find(_ query: ElementQuery, at snapshot: Snapshot, generation: UInt64) -> KeptResults? {
    let known = state.withLock { $0.entries[query.sharingHash]?.compactMap(\.kept) }
    return known?.first { kept in
      kept.serial == snapshot.serial && kept.results.generation == generation
        && kept.query.isSame(as: query)
    }
  }

  /// Has an answer be found, as long as anybody keeps it.
  func note(_ kept: KeptResults) {
    let hash = kept.query.sharingHash
    state.withLock { state in
      state.entries[hash, default: []].append(Entry(kept: kept))
      state.left -= 1
      if state.left == 0 { state.tidy() }
    }
  }
}

extension SharedAnswers.State {
  /// Forgets the answers that nobody keeps.
  fileprivate mutating func tidy() {
    var count = 0
    entries = entries.compactMapValues { known in
      let kept = known.filter { $0.kept != nil }
      count += kept.count
      return kept.isEmpty ? nil : kept
    }
    left = max(SharedAnswers.fewest, count)
  }
}

extension ElementQuery {
  /// The same for queries that are the same.
  fileprivate var sharingHash: Int {
    var hasher = Hasher()
    hasher.combine(model.modelIndex)
    hasher.combine(sortKeys)
    hasher.combine(condition.root.leafCount)
    return hasher.finalize()
  }

  /// Whether two queries on whole classes ask for the same.
  fileprivate func isSame(as other: ElementQuery) -> Bool {
    model === other.model && sortKeys == other.sortKeys && condition.isSame(as: other.condition)
  }
}
