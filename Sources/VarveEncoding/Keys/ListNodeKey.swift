/// Keys of the table `lists`: list id, node id.
@usableFromInline
package struct ListNodeKey: Hashable, Sendable {
  @usableFromInline package let listID: UInt64
  @usableFromInline package let nodeID: UInt64

  /// The node id of every list's root.
  @usableFromInline package static let root: UInt64 = 0
  @usableFromInline package static let byteCount = 16

  @inlinable
  package init(listID: UInt64, nodeID: UInt64 = ListNodeKey.root) {
    self.listID = listID
    self.nodeID = nodeID
  }

  @inlinable
  package func encode(into key: inout OrderedKey) {
    key.removeAll(keepingCapacity: true)
    key.append(uint64: listID)
    key.append(uint64: nodeID)
  }

  package init(decoding key: UnsafeRawBufferPointer) throws(FormatError) {
    var decoder = KeyDecoder(key)
    listID = try decoder.uint64()
    nodeID = try decoder.uint64()
    try decoder.finish()
  }
}
