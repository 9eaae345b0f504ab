package import VarveEncoding
package import VarveStorage

/// Verifies the nodes of one list: what tests ask after every batch, and ``StoreCheck`` of a file.
///
/// It checks that
/// - every node has its checksum, the list's element format and at least one element;
/// - an entry counts exactly the elements below it, and all leaves lie at one depth;
/// - no stamp is newer than the entry above it says, nor than the version that is looked at;
/// - node ids are unique and were handed out;
/// - every stored node of the list is reachable from its root;
/// - nodes are filled to about a quarter at least, but for those at the right edge, where appends
///   leave new ones.
///
/// Thread safety: a value for one thread.
package struct ListTreeCheck {
  /// What is wrong with a list, and at which node.
  package struct Problem: Sendable, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable {
      case missingNode, damagedNode, badChecksum, emptyNode, wrongCount, unevenDepth, newerStamp
      case repeatedNode, unknownNodeID, unreachableNode, underfilledNode
    }

    package let kind: Kind
    package let nodeID: UInt64

    package var description: String { "\(kind.rawValue) (node \(nodeID))" }
  }

  /// What was found.
  package struct Report: Sendable {
    package internal(set) var elementCount = 0
    package internal(set) var leafCount = 0
    package internal(set) var innerCount = 0
    /// The levels of the tree: 0 without nodes, 1 if the root is a leaf.
    package internal(set) var depth = 0
    package internal(set) var byteCount = 0
    package internal(set) var problems: [Problem] = []

    package var nodeCount: Int { leafCount + innerCount }
  }

  private let listID: UInt64
  private let format: ListElementFormat
  private let snapshot: Snapshot
  private var report = Report()
  private var leafDepth: Int?
  private var seen: Set<UInt64> = []

  /// Checks a list of a snapshot.
  ///
  /// - Parameters:
  ///   - slot: the list's.
  ///   - format: how the list's leaves store its elements.
  ///   - snapshot: the version to check.
  /// - Returns: what was found.
  /// - Complexity: O(nodes), every byte of each.
  package static func run(
    _ slot: CollectionSlot, format: ListElementFormat, in snapshot: Snapshot
  ) -> Report {
    var check = ListTreeCheck(listID: slot.id, format: format, snapshot: snapshot)
    check.walk()
    return check.report
  }

  // MARK: - The walk

  private mutating func walk() {
    if bytes(of: ListNodeKey.root) != nil {
      let all = visit(
        ListNodeKey.root, depth: 1, newest: snapshot.root.counter, isRightEdge: true)
      report.elementCount = all ?? 0
      report.depth = leafDepth ?? 0
    }
    findUnreachableNodes()
  }

  /// Checks a node and everything below it.
  ///
  /// - Parameters:
  ///   - nodeID: the node.
  ///   - depth: 1 for the root.
  ///   - newest: the greatest stamp that may stand in the node.
  ///   - isRightEdge: whether no other node of the level lies behind it.
  /// - Returns: the number of elements found below; nil if the node is not one.
  private mutating func visit(
    _ nodeID: UInt64, depth: Int, newest: UInt64, isRightEdge: Bool
  ) -> Int? {
    guard seen.insert(nodeID).inserted else { return problem(.repeatedNode, nodeID) }
    if nodeID >= snapshot.root.nextNodeID { return problem(.unknownNodeID, nodeID) }
    guard let bytes = bytes(of: nodeID) else { return problem(.missingNode, nodeID) }
    do throws(FormatError) {
      try ListNode.verifyChecksum(bytes)
    } catch {
      note(.badChecksum, nodeID)
    }
    report.byteCount += bytes.count
    if (try? ListNode.kind(of: bytes)) == .leaf {
      return visitLeaf(bytes, nodeID, depth, isRightEdge)
    }
    return visitInner(bytes, nodeID, depth, newest, isRightEdge)
  }

  private mutating func visitLeaf(
    _ bytes: UnsafeRawBufferPointer, _ nodeID: UInt64, _ depth: Int, _ isRightEdge: Bool
  ) -> Int? {
    guard let leaf = try? ListLeaf(validating: bytes, format: format) else {
      return problem(.damagedNode, nodeID)
    }
    report.leafCount += 1
    if leafDepth == nil { leafDepth = depth }
    if leafDepth != depth { note(.unevenDepth, nodeID) }
    if leaf.count == 0 { note(.emptyNode, nodeID) }
    if !isRightEdge, bytes.count < ListEditor.minimumLeafBytes { note(.underfilledNode, nodeID) }
    return leaf.count
  }

  private mutating func visitInner(
    _ bytes: UnsafeRawBufferPointer, _ nodeID: UInt64, _ depth: Int, _ newest: UInt64,
    _ isRightEdge: Bool
  ) -> Int? {
    guard depth <= ListEditor.maximumLevels, let inner = try? ListInner(validating: bytes) else {
      return problem(.damagedNode, nodeID)
    }
    report.innerCount += 1
    if inner.count == 0 { note(.emptyNode, nodeID) }
    if !isRightEdge, inner.count < ListEditor.minimumEntries { note(.underfilledNode, nodeID) }
    var sum = 0
    for index in 0..<inner.count {
      let entry = inner.child(at: index)
      if entry.stamp > newest { note(.newerStamp, entry.nodeID) }
      let below = visit(
        entry.nodeID, depth: depth + 1, newest: entry.stamp,
        isRightEdge: isRightEdge && index == inner.count - 1)
      if let below, below != Int(entry.count) { note(.wrongCount, entry.nodeID) }
      sum += Int(entry.count)
    }
    return sum
  }

  private mutating func findUnreachableNodes() {
    var cursor = snapshot.cursor(.lists)
    var isThere = ListNodeKey(listID: listID, nodeID: 0).withBytes { cursor.seek(key: $0) }
    while isThere, let key = try? ListNodeKey(decoding: cursor.key), key.listID == listID {
      if !seen.contains(key.nodeID) { note(.unreachableNode, key.nodeID) }
      isThere = cursor.next()
    }
  }

  private func bytes(of nodeID: UInt64) -> UnsafeRawBufferPointer? {
    ListNodeKey(listID: listID, nodeID: nodeID).withBytes { snapshot.find(.lists, key: $0) }
  }

  private mutating func note(_ kind: Problem.Kind, _ nodeID: UInt64) {
    report.problems.append(Problem(kind: kind, nodeID: nodeID))
  }

  private mutating func problem(_ kind: Problem.Kind, _ nodeID: UInt64) -> Int? {
    note(kind, nodeID)
    return nil
  }
}
