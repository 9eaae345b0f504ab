import VarveLocks
import VarveStorage

/// The objects of a query in one version, in order, shared by all observers at that version.
///
/// A class, so that results without a cached answer take no more memory.
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

  /// Returns the id at an index, or nil if the index is out of bounds.
  ///
  /// - Complexity: O(log n).
  package func id(at index: Int) -> UInt64? {
    index >= 0 && index < count ? results[index] : nil
  }

  /// The ids of all objects.
  ///
  /// - Complexity: O(n), or O(n log n).
  package var ids: [UInt64] { results.ids }

  /// Whether the answer was derived from the answer of another version and the changes, rather than
  /// by running the query.
  package var isKeptUp: Bool { results.isKeptUp }
}

extension QueryAnswer {
  /// Identifies the answer that results from advancing another answer by a difference.
  struct AdvancedKey: DifferenceKey {
    typealias Result = QueryAnswer

    /// The previous answer, which the update retains.
    let old: ObjectIdentifier
  }

  /// Identifies the update from an answer to the answer of another version, for one set of watched
  /// paths.
  struct UpdateKey: DifferenceKey {
    typealias Result = Step

    let old: ObjectIdentifier
    let watched: WatchedPathNames
  }

  /// The result of advancing an answer.
  struct Step: Sendable {
    let old: QueryAnswer
    let new: QueryAnswer
    let changes: IndexChanges
  }
}

/// The answers of a store that are in use, so that observers of equal queries share them.
///
/// Thread safety: a lock guards the answers.
package final class SharedAnswers: Sendable {
  fileprivate struct Entry {
    weak var kept: QueryAnswer?
    /// The version of the answer. It is compared before the answer is retained.
    let serial: UInt64
  }

  fileprivate struct State {
    /// The entries, by a hash of their queries.
    var entries: [Int: [Entry]] = [:]
    /// The number of answers that may be added before released answers are removed.
    var left = SharedAnswers.fewest
  }

  fileprivate static let fewest = 64
  /// Guards the answers.
  private let state = Lock(State())

  /// Returns the answer of an equal query in a version, if the answer is in use.
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

  /// Adds an answer, which can be found as long as it is in use.
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
  /// Removes the answers that have been released.
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
  /// A hash that is equal for equal queries.
  fileprivate var sharingHash: Int {
    var hasher = Hasher()
    hasher.combine(model.modelIndex)
    hasher.combine(sortKeys)
    hasher.combine(condition.root.leafCount)
    return hasher.finalize()
  }

  /// Whether two queries on whole classes are equal.
  fileprivate func isSame(as other: ElementQuery) -> Bool {
    model === other.model && sortKeys == other.sortKeys && condition == other.condition
  }
}
