package import VarveEncoding
import VarveStorage

/// A walk over a list in one version, leaf by leaf.
///
/// Thread safety: none; each walk makes its own.
package final class ElementWalk {
  package let context: ReadContext
  private let snapshot: Snapshot
  private let property: StoredProperty
  private let type: PropertyType
  private let linkedClassID: UInt32
  private let holdsBits: Bool
  /// Whether elements may be objects, which need the context to be made of.
  package let mayLink: Bool
  @exclusivity(unchecked) private var place: ListDirectory.Iterator

  /// - Returns: nil when the owner of the list does not exist.
  package init?(_ handle: CollectionHandle) {
    guard let context = handle.context, let property = handle.property,
      let (list, snapshot) = handle.pinnedDirectory()
    else { return nil }
    self.context = context
    self.snapshot = snapshot
    self.property = property
    type = property.kind.type
    mayLink = type.mayLink
    linkedClassID = property.linkedClassID
    holdsBits = list.format.holdsBits
    place = list.makeIterator()
  }

  /// The next element, null for one that is damaged; nil at the end.
  package func next() -> Value? {
    guard place.advance() else { return nil }
    guard holdsBits else { return storedValue() }
    guard let bits = place.bits else { return .null }
    return type.value(bits: bits, linkClass: linkedClassID)
  }

  private func storedValue() -> Value {
    guard let bytes = place.bytes, let stored = try? property.storedElement(bytes) else {
      return .null
    }
    do throws(Failure) {
      return try snapshot.resolve(stored, property: property)
    } catch {
      context.store.markDamaged(error.message)
      return .null
    }
  }
}
