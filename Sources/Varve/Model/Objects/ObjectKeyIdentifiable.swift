import VarveCore

/// An object that lists tell from others by its `id`.
///
/// A class that conforms and has a property `id` is told by that; any other by what it stands for in the store: handles
/// to one object have one `id`, and an unmanaged object has its own. It means nothing in another process.
public protocol ObjectKeyIdentifiable: Identifiable, ObjectBase {}

extension ObjectKeyIdentifiable {
  /// What the object stands for, as a number of this process.
  ///
  /// - Complexity: O(1).
  public var id: UInt64 {
    var hasher = Hasher()
    if handle.isManaged {
      hasher.combine(info.name)
      hasher.combine(handle.id)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
