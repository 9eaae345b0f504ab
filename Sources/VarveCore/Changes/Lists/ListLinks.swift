package import VarveEncoding
package import VarveStorage

/// Where the table of backlinks counts the links of one list of objects.
///
/// Thread safety: an immutable value.
package struct ListLinks: Hashable, Sendable {
  package let targetClass: UInt32
  package let originClass: UInt32
  package let originProperty: UInt32
  package let originID: UInt64

  package init(
    targetClass: UInt32, originClass: UInt32, originProperty: UInt32, originID: UInt64
  ) {
    self.targetClass = targetClass
    self.originClass = originClass
    self.originProperty = originProperty
    self.originID = originID
  }

  /// How often an object stands in the list.
  ///
  /// - Parameters:
  ///   - objectID: the object.
  ///   - slot: the list's.
  ///   - snapshot: the version to look at.
  /// - Returns: 0 if it does not.
  /// - Throws: `.corrupted`.
  /// - Complexity: a look-up.
  package func count(
    of objectID: UInt64, in slot: CollectionSlot, _ snapshot: Snapshot
  ) throws(StorageError) -> Int {
    var key = OrderedKey()
    BacklinkKey(
      targetClass: targetClass, targetID: objectID, originClass: originClass,
      originProperty: originProperty, originID: originID, collectionID: slot.id
    ).encode(into: &key)
    guard let value = key.withUnsafeBytes({ snapshot.find(.backlinks, key: $0) }) else { return 0 }
    do throws(FormatError) {
      return Int(try BacklinkKey.decodeCount(value))
    } catch {
      let environment = snapshot.environment
      let error = StorageError(.corrupted, "A backlink is damaged.", path: environment.path)
      environment.markDamaged(error)
      throw error
    }
  }
}
