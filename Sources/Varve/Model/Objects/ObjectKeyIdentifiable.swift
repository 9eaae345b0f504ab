import VarveCore

/// A model class with an identity, for use as an `Identifiable` element of lists.
///
/// A class that declares a property `id` is identified by that property. Objects of other classes
/// are identified by the stored object that they refer to, and an unmanaged object by itself. The
/// default `id` is not valid in another process.
public protocol ObjectKeyIdentifiable: Identifiable, ObjectBase {}

extension ObjectKeyIdentifiable {
  /// The identity of the object, as a number that is valid in this process.
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
