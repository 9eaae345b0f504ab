package import VarveEncoding
import VarveStorage

/// A walk over a list in one version.
///
/// Thread safety: none; each walk makes its own.
package final class ElementWalk {
  private let cell: CollectionCell
  private let list: ListDirectory
  private let snapshot: Snapshot
  private let property: StoredProperty
  private var place = 0

  /// - Returns: nil when the owner of the list does not exist.
  package init?(_ cell: CollectionCell) {
    guard let property = cell.property, let (list, snapshot) = cell.pinnedDirectory() else {
      return nil
    }
    self.cell = cell
    self.list = list
    self.snapshot = snapshot
    self.property = property
  }

  /// The next element; nil at the end.
  package func next() -> Value? {
    guard place < list.count else { return nil }
    defer { place += 1 }
    return cell.value(list, at: place, in: snapshot)
  }
}
