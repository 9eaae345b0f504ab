package import VarveEncoding
package import VarveStorage

/// The backlink entries that count the links of one list of objects.
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

  /// Returns how often an object is in the list.
  ///
  /// - Returns: The number of occurrences, 0 if the object is not in the list.
  /// - Throws: `.corrupted`.
  /// - Complexity: one lookup.
  package func count(
    of objectID: UInt64, in snapshot: Snapshot
  ) throws(StorageError) -> Int {
    var key = OrderedKey()
    BacklinkKey(
      targetClass: targetClass, targetID: objectID, originClass: originClass,
      originProperty: originProperty, originID: originID
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
