/// An object in a sorted order.
///
/// The prefix encodes the first bytes of the object's sort keys: of two objects with different
/// prefixes, the object with the lower one comes first. Equal prefixes are resolved by comparing
/// the rows.
package struct OrderedEntry: Equatable, Sendable {
  package var prefix: UInt64
  package var id: UInt64

  package init(prefix: UInt64, id: UInt64) {
    self.prefix = prefix
    self.id = id
  }

  /// Whether the entry comes before another: by prefix, then by the rows, then by id.
  func precedes(_ other: OrderedEntry, by rows: RowOrder) throws(Failure) -> Bool {
    if prefix < other.prefix { return true }
    // Two entries of one object with one prefix are equal, whatever its row contains.
    guard prefix == other.prefix, id != other.id else { return false }
    switch try rows(id, other.id) {
    case .ascending: return true
    case .descending: return false
    case .equal, .unordered: return id < other.id
    }
  }
}

/// Compares two different objects with equal prefixes by their rows in one version.
///
/// Objects that are neither `.ascending` nor `.descending` are in the order of their ids.
package typealias RowOrder = (UInt64, UInt64) throws(Failure) -> ValueOrdering
