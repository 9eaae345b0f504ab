import VarveEncoding
import VarveStorage

/// Reads the nodes of one list in one snapshot, and checks that the counts agree.
///
/// Thread safety: a value for one thread.
struct ListNodeReader {
  let listID: UInt64
  let format: ListElementFormat
  let snapshot: Snapshot
  /// The list in a row, which has one leaf.
  private let inline: CollectionContent?
  /// The number of entries that may still be visited. It starts at the number of nodes in the
  /// table; exceeding it means that several entries refer to the same node.
  private var allowance: Int

  init(_ content: CollectionContent, format: ListElementFormat, snapshot: Snapshot) {
    listID = content.id
    inline = content.isInline ? content : nil
    self.format = format
    self.snapshot = snapshot
    allowance = snapshot.count(.lists)
  }

  /// Returns the run that consists of the root, or an empty run for a list without nodes.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: one lookup per level.
  func root() throws(StorageError) -> ListNodeRun {
    if let inline {
      let entry = ListInnerEntry(
        nodeID: ListNodeKey.root, stamp: 0, count: UInt32(clamping: inline.count))
      return ListNodeRun(level: 0, start: 0, entries: [entry])
    }
    // A list that never had an element.
    if listID == 0 { return ListNodeRun(level: 0, start: 0, entries: []) }
    guard let bytes = bytes(of: ListNodeKey.root) else {
      // An unreadable page must not be mistaken for a list that was emptied.
      if let damage = snapshot.environment.damageError { throw damage }
      return ListNodeRun(level: 0, start: 0, entries: [])
    }
    var count = 0
    if try kind(of: bytes) == .leaf {
      count = try leaf(bytes).count
    } else {
      count = try inner(bytes).totalCount
    }
    guard count > 0, let count = UInt32(exactly: count) else { throw damaged() }
    let entry = ListInnerEntry(nodeID: ListNodeKey.root, stamp: 0, count: count)
    return ListNodeRun(level: try level(of: bytes), start: 0, entries: [entry])
  }

  /// Returns the level of a node, found by descending along the first children.
  private func level(of node: UnsafeRawBufferPointer) throws(StorageError) -> Int {
    var node = node
    for level in 0...ListEditor.maximumLevels {
      if try kind(of: node) == .leaf { return level }
      let inner = try inner(node)
      guard inner.count > 0, let first = bytes(of: inner.child(at: 0).nodeID) else { break }
      node = first
    }
    throw damaged()
  }

  /// Returns all children of the nodes of a run, which must not be leaves.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: one lookup per node.
  mutating func children(of run: ListNodeRun) throws(StorageError) -> ListNodeRun {
    var children: [ListInnerEntry] = []
    for entry in run.entries {
      guard let bytes = bytes(of: entry.nodeID) else { throw damaged() }
      let inner = try inner(bytes)
      allowance -= inner.count
      guard inner.count > 0, allowance >= 0, inner.totalCount == Int(entry.count) else {
        throw damaged()
      }
      children.reserveCapacity(children.count + inner.count)
      for index in 0..<inner.count {
        let child = inner.child(at: index)
        guard child.count > 0 else { throw damaged() }
        children.append(child)
      }
    }
    return ListNodeRun(level: run.level - 1, start: run.start, entries: children[...])
  }

  /// Returns the leaves below a run.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: one lookup per inner node.
  mutating func leaves(below run: ListNodeRun) throws(StorageError) -> ListNodeRun {
    var run = run
    while run.level > 0, !run.isEmpty { run = try children(of: run) }
    return run
  }

  /// Returns the leaves below a run that contain the given indexes.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: one lookup per inner node on the paths to them.
  mutating func leaves(
    below run: ListNodeRun, holding indexes: Range<Int>
  ) throws(StorageError) -> ListNodeRun {
    var run = run
    while run.level > 0, !run.isEmpty { run = try children(of: run).holding(indexes) }
    return run
  }

  /// Returns the leaf to which an entry refers.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: one lookup.
  func leaf(_ entry: ListInnerEntry) throws(StorageError) -> ListLeaf {
    if let inline {
      guard let bytes = inline.bytes,
        let leaf = try? ListLeaf(elements: bytes, count: inline.count, format: format)
      else { throw damaged() }
      return leaf
    }
    guard let bytes = bytes(of: entry.nodeID) else { throw damaged() }
    let leaf = try leaf(bytes)
    guard leaf.count == Int(entry.count) else { throw damaged() }
    return leaf
  }

  private func bytes(of nodeID: UInt64) -> UnsafeRawBufferPointer? {
    ListNodeKey(listID: listID, nodeID: nodeID).withBytes { snapshot.find(.lists, key: $0) }
  }

  private func kind(of bytes: UnsafeRawBufferPointer) throws(StorageError) -> ListNode.Kind {
    do throws(FormatError) { return try ListNode.kind(of: bytes) } catch { throw damaged() }
  }

  private func inner(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> ListInner {
    do throws(FormatError) { return try ListInner(validating: bytes) } catch { throw damaged() }
  }

  private func leaf(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> ListLeaf {
    do throws(FormatError) {
      return try ListLeaf(validating: bytes, format: format)
    } catch {
      throw damaged()
    }
  }

  /// Returns the error for damaged nodes, and marks the environment as damaged.
  func damaged() -> StorageError { snapshot.damaged("A list's nodes are damaged.") }
}
