/// The objects of an answer in one version, in order.
///
/// A class, so that results without a known answer are no larger for it.
///
/// Thread safety: immutable.
package final class QueryAnswer: Sendable {
  private enum Content: Sendable {
    case maintained(MaintainedResults)
    case listed([UInt64])
  }
  private let content: Content

  init(_ results: MaintainedResults) { content = .maintained(results) }
  init(_ ids: [UInt64]) { content = .listed(ids) }

  package var count: Int {
    switch content {
    case .maintained(let results): results.count
    case .listed(let ids): ids.count
    }
  }

  /// The id at a place; nil out of bounds.
  ///
  /// - Complexity: O(log n).
  package func id(at index: Int) -> UInt64? {
    guard index >= 0, index < count else { return nil }
    switch content {
    case .maintained(let results): return results[index]
    case .listed(let ids): return ids[index]
    }
  }

  /// The ids of all objects.
  ///
  /// - Complexity: O(n).
  package var ids: [UInt64] {
    switch content {
    case .maintained(let results): results.ids
    case .listed(let ids): ids
    }
  }
}
