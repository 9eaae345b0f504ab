/// Objects in an order.
protocol ObjectSequence: Sendable {
  var count: Int { get }

  /// The id of the object at a place.
  ///
  /// - Precondition: the index is in `0..<count`.
  /// - Complexity: O(log n).
  subscript(index: Int) -> UInt64 { get }

  /// The ids of all objects, in order.
  ///
  /// - Complexity: O(n), or O(n log n).
  var ids: [UInt64] { get }

  /// Whether the order was made from that of another version by what changed, and not by running the query.
  var isKeptUp: Bool { get }
}

/// The objects of an answer in one version, in order.
///
/// A class, so that results without a known answer are no larger for it.
///
/// Thread safety: immutable.
package final class QueryAnswer: Sendable {
  private let objects: any ObjectSequence

  init(_ objects: any ObjectSequence) { self.objects = objects }

  package var count: Int { objects.count }

  /// The id at a place; nil out of bounds.
  ///
  /// - Complexity: O(log n).
  package func id(at index: Int) -> UInt64? {
    index >= 0 && index < count ? objects[index] : nil
  }

  /// The ids of all objects.
  ///
  /// - Complexity: O(n), or O(n log n).
  package var ids: [UInt64] { objects.ids }

  /// Whether the answer was made from that of another version by what changed, and not by running the query.
  package var isKeptUp: Bool { objects.isKeptUp }
}
