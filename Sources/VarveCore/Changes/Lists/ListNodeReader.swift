import VarveEncoding
import VarveStorage

/// Reads the nodes of one list in one snapshot, checking that the counts agree.
///
/// Thread safety: a value for one thread.
struct ListNodeReader {
  let listID: UInt64
  let format: ListElementFormat
  let snapshot: Snapshot
  /// How many entries may still be met: no more than the table has nodes, or some node is reached
  /// by several entries.
  private var allowance: Int

  init(_ slot: CollectionSlot, format: ListElementFormat, snapshot: Snapshot) {
    listID = slot.id
    self.format = format
    self.snapshot = snapshot
    allowance = snapshot.count(.lists)
  }

  /// The run that is the root alone; an empty one for a list without nodes.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: a look-up a level.
  func root() throws(StorageError) -> ListNodeRun {
    // A list that never had an element.
    if listID == 0 { return ListNodeRun(level: 0, start: 0, entries: []) }
    guard let bytes = bytes(of: ListNodeKey.root) else {
      // A page that cannot be read must not pass for a list that has been emptied.
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

  /// The level of a node, found along the first children.
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

  /// All children of the nodes of a run, which are not leaves.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: a look-up a node.
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

  /// The leaves below a run.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: a look-up an inner node.
  mutating func leaves(below run: ListNodeRun) throws(StorageError) -> ListNodeRun {
    var run = run
    while run.level > 0, !run.isEmpty { run = try children(of: run) }
    return run
  }

  /// The leaves that hold some elements, below a run.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: a look-up an inner node that leads to them.
  mutating func leaves(
    below run: ListNodeRun, holding indexes: Range<Int>
  ) throws(StorageError) -> ListNodeRun {
    var run = run
    while run.level > 0, !run.isEmpty { run = try children(of: run).holding(indexes) }
    return run
  }

  /// The leaf that an entry leads to.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: a look-up.
  func leaf(_ entry: ListInnerEntry) throws(StorageError) -> ListLeaf {
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

  /// The error for nodes that are not what they must be, which the environment is told of as well.
  func damaged() -> StorageError { snapshot.damaged("A list's nodes are damaged.") }
}
