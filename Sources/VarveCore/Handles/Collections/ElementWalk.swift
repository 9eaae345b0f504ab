package import VarveEncoding
import VarveStorage

/// An iteration over a list in one version, leaf by leaf.
///
/// Thread safety: none; each iteration makes its own.
package final class ElementWalk {
  package let context: ReadContext
  private let snapshot: Snapshot
  private let property: StoredProperty
  private let type: PropertyType
  private let linkedClassID: UInt32
  private let storesBits: Bool
  /// Whether elements may be objects, whose handles need the context.
  package let mayLink: Bool
  @exclusivity(unchecked) private var iterator: ListDirectory.Iterator

  /// - Returns: Nil when the owner of the list does not exist.
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
    storesBits = list.format.storesBits
    iterator = list.makeIterator()
  }

  /// Returns the next element, null for a damaged one, or nil at the end.
  package func next() -> Value? {
    guard iterator.advance() else { return nil }
    guard storesBits else { return storedValue() }
    guard let bits = iterator.bits else { return .null }
    return type.value(bits: bits, linkClass: linkedClassID)
  }

  private func storedValue() -> Value {
    guard let bytes = iterator.bytes, let stored = try? property.storedElement(bytes) else {
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
