import Synchronization
import VarveStorage

/// The objects of a query in one version, in order, for all who observe it there.
///
/// A class, so that results without a known answer are no larger for it.
///
/// Thread safety: immutable.
package final class QueryAnswer: Sendable {
  let query: ElementQuery
  let results: MaintainedResults
  /// The serial number of the version.
  let serial: UInt64

  init(_ query: ElementQuery, _ results: MaintainedResults, at snapshot: Snapshot) {
    self.query = query
    self.results = results
    serial = snapshot.serial
  }

  package var count: Int { results.count }

  /// The id at a place; nil out of bounds.
  ///
  /// - Complexity: O(log n).
  package func id(at index: Int) -> UInt64? {
    index >= 0 && index < count ? results[index] : nil
  }

  /// The ids of all objects.
  ///
  /// - Complexity: O(n), or O(n log n).
  package var ids: [UInt64] { results.ids }

  /// Whether the answer was made from that of another version by what changed, and not by running the query.
  package var isKeptUp: Bool { results.isKeptUp }
}

extension QueryAnswer {
  /// Names the answer that another one was advanced to by a difference.
  struct AdvancedKey: DifferenceKey {
    typealias Result = QueryAnswer

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
    let old: QueryAnswer
    let new: QueryAnswer
    let changes: IndexChanges
  }
}

/// The answers of a store that anybody keeps now, so that observers of equal queries share them.
///
/// Thread safety: a lock guards the answers.
package final class SharedAnswers: Sendable {
  fileprivate struct Entry {
    weak var kept: QueryAnswer?
    /// The version of the answer, compared before the answer is retained.
    let serial: UInt64
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
  func find(_ query: ElementQuery, at snapshot: Snapshot, generation: UInt64) -> QueryAnswer? {
    let serial = snapshot.serial
    let known = state.withLock { state in
      state.entries[query.sharingHash]?.compactMap { $0.serial == serial ? $0.kept : nil }
    }
    return known?.first { kept in
      kept.results.generation == generation && kept.query.isSame(as: query)
    }
  }

  /// Has an answer be found, as long as anybody keeps it.
  func note(_ kept: QueryAnswer) {
    let hash = kept.query.sharingHash
    state.withLock { state in
      state.entries[hash, default: []].append(Entry(kept: kept, serial: kept.serial))
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
    model === other.model && sortKeys == other.sortKeys && condition == other.condition
  }
}
