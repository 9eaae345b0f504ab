import VarveEncoding
package import VarveStorage

extension ListEditor {
  /// Writes every changed node into the transaction, and deletes the removed nodes.
  ///
  /// The editor remains usable.
  ///
  /// - Throws: The engine's error; the transaction must then be rolled back.
  /// - Complexity: O(changed nodes), each a write of at most `ListNode.maximumBytes`.
  package func flush() throws(StorageError) {
    try checkUsable()
    guard needsFlush else { return }
    resolve()
    try deleteRemovedNodes()
    if count == 0 {
      if root.isStored { try delete(ListNodeKey.root) }
      root.isStored = false
      root.isDirty = false
    } else {
      var changed: [ListTreeNode] = []
      collectChanged(root, into: &changed)
      // In key order, so that the pages of the table are filled one after the other.
      changed.sort { $0.id < $1.id }
      let encoder = ListInnerBuffer()
      for node in changed { try write(node, encoder) }
    }
    needsFlush = false
    openTail = nil
  }

  /// The elements, if they may be stored in a row: they are in one leaf, and none refers to a blob
  /// or a nested collection.
  ///
  /// - Returns: The bytes, valid until the next operation of the editor.
  package func inlineElements(upTo limit: Int) -> UnsafeRawBufferPointer? {
    resolve()
    guard count > 0, let leaf = root.leaf, leaf.rowByteCount <= limit else { return nil }
    if !format.isPacked {
      for index in 0..<leaf.count where !ElementCodec.mayBeInline(leaf.bytes(at: index)) {
        return nil
      }
    }
    return leaf.elements
  }

  /// Deletes all stored nodes, because the elements are stored in a row.
  ///
  /// The editor must not be used any more.
  package func deleteNodes() throws(StorageError) {
    try checkUsable()
    guard listID != 0 else { return }
    try deleteRemovedNodes()
    if root.isStored { try delete(ListNodeKey.root) }
    root.isStored = false
    needsFlush = false
    openTail = nil
  }

  private func collectChanged(_ node: ListTreeNode, into changed: inout [ListTreeNode]) {
    guard node.isDirty else { return }
    changed.append(node)
    for child in node.children {
      if let child { collectChanged(child, into: &changed) }
    }
  }

  private func write(
    _ node: ListTreeNode, _ encoder: ListInnerBuffer
  ) throws(StorageError) {
    // A list created by this transaction is after all others if lists are written in id order.
    let isNew = !node.isStored && listID >= transaction.base.root.nextCollectionID
    let key = ListNodeKey(listID: listID, nodeID: node.id)
    if let leaf = node.leaf {
      try put(key, leaf.finish(key), append: isNew)
    } else {
      encoder.removeAll()
      for entry in 0..<node.entryCount {
        encoder.append(
          ListInnerEntry(
            nodeID: node.childIDs[entry], stamp: node.stamps[entry],
            count: UInt32(clamping: node.counts[entry])))
      }
      try put(key, encoder.finish(key), append: isNew)
    }
    node.isDirty = false
    node.isStored = true
  }

  private func deleteRemovedNodes() throws(StorageError) {
    if removesStoredNodes {
      try deleteAllNodes()
      removesStoredNodes = false
    }
    for id in removedIDs { try delete(id) }
    removedIDs = []
  }

  private func put(
    _ key: ListNodeKey, _ bytes: UnsafeRawBufferPointer, append: Bool
  ) throws(StorageError) {
    try key.withBytes { (key) throws(StorageError) in
      try transaction.put(.lists, key: key, bytes, append: append)
    }
  }

  private func delete(_ id: UInt64) throws(StorageError) {
    try ListNodeKey(listID: listID, nodeID: id).withBytes { (key) throws(StorageError) in
      _ = try transaction.delete(.lists, key: key)
    }
  }

  /// Deletes every stored node of the list, whether or not it is reachable from its root.
  private func deleteAllNodes() throws(StorageError) {
    // A delete invalidates the cursor, so ids are collected first, a bounded number at a time.
    let batch = 1024
    var ids: [UInt64] = []
    repeat {
      ids.removeAll(keepingCapacity: true)
      var cursor = transaction.cursor(.lists)
      var isThere = ListNodeKey(listID: listID, nodeID: 0).withBytes { cursor.seek(key: $0) }
      while isThere, ids.count < batch, let key = try? ListNodeKey(decoding: cursor.key),
        key.listID == listID
      {
        ids.append(key.nodeID)
        isThere = cursor.next()
      }
      if let failure = transaction.failure { throw failure }
      for id in ids { try delete(id) }
    } while ids.count == batch
  }
}
