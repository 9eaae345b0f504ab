/// An object in a sorted order.
///
/// The prefix says where it stands as far as a few bytes of its sort keys can: of two objects with
/// different prefixes, that with the lower one comes first. What it leaves open is read from the rows.
package struct OrderedEntry: Equatable, Sendable {
  package var prefix: UInt64
  package var id: UInt64

  package init(prefix: UInt64, id: UInt64) {
    self.prefix = prefix
    self.id = id
  }

  /// Whether the entry comes before another: by prefix, then as the rows say, then by id.
  func precedes(_ other: OrderedEntry, by rows: RowOrder) throws(Failure) -> Bool {
    if prefix < other.prefix { return true }
    // Two entries of one object and one prefix are equal, whatever its row says.
    guard prefix == other.prefix, id != other.id else { return false }
    switch try rows(id, other.id) {
    case .ascending: return true
    case .descending: return false
    case .equal, .unordered: return id < other.id
    }
  }
}

/// How two different objects of equal prefixes stand to each other, by their rows in one version.
///
/// Objects that are neither `.ascending` nor `.descending` stand in the order of their ids.
package typealias RowOrder = (UInt64, UInt64) throws(Failure) -> ValueOrdering
