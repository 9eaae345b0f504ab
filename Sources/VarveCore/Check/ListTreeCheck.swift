package import VarveEncoding
package import VarveStorage

/// Verifies the nodes of one list. Used by ``StoreCheck``, and by tests after every batch.
///
/// It checks that
/// - every node has a valid checksum, the list's element format and at least one element;
/// - an entry contains the exact number of elements below it, and all leaves are at the same depth;
/// - no stamp is newer than the stamp of the entry above it, or newer than the checked version;
/// - node ids are unique and have been allocated;
/// - every stored node of the list is reachable from its root;
/// - nodes are at least about a quarter full, except at the right edge, where appends create new
///   nodes.
package struct ListTreeCheck {
  /// A problem of a list, with the node in which it was found.
  package struct Problem: Sendable, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable {
      case missingNode, damagedNode, badChecksum, emptyNode, wrongCount, unevenDepth, newerStamp
      case repeatedNode, unknownNodeID, unreachableNode, underfilledNode
    }

    package let kind: Kind
    package let nodeID: UInt64

    package var description: String { "\(kind.text) (node \(nodeID))" }
  }

  /// The result of a check.
  package struct Report: Sendable {
    package internal(set) var elementCount = 0
    package internal(set) var leafCount = 0
    package internal(set) var innerCount = 0
    /// The number of levels of the tree: 0 without nodes, 1 if the root is a leaf.
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
  ///   - content: The collection content of the list.
  ///   - format: The element format of the list's leaves.
  /// - Complexity: O(nodes), reading every byte.
  package static func run(
    _ content: CollectionContent, format: ListElementFormat, in snapshot: Snapshot
  ) -> Report {
    var check = ListTreeCheck(listID: content.id, format: format, snapshot: snapshot)
    check.walk()
    return check.report
  }

  // MARK: - Tree walk

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
  ///   - depth: The level of the node, 1 for the root.
  ///   - newest: The greatest stamp that the node may contain.
  ///   - isRightEdge: Whether the node is the last one of its level.
  /// - Returns: The number of elements below the node, or nil if the node is invalid.
  private mutating func visit(
    _ nodeID: UInt64, depth: Int, newest: UInt64, isRightEdge: Bool
  ) -> Int? {
    guard seen.insert(nodeID).inserted else { return problem(.repeatedNode, nodeID) }
    if nodeID >= snapshot.root.nextNodeID { return problem(.unknownNodeID, nodeID) }
    guard let bytes = bytes(of: nodeID) else { return problem(.missingNode, nodeID) }
    do throws(FormatError) {
      try ListNode.verifyChecksum(bytes, ListNodeKey(listID: listID, nodeID: nodeID))
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
    do throws(FormatError) {
      for index in 0..<(format.isPacked ? 0 : leaf.count) { _ = try leaf.bytes(at: index) }
    } catch {
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

extension ListTreeCheck.Problem.Kind {
  /// The problem in words.
  fileprivate var text: String {
    switch self {
    case .missingNode: "a part of the list is missing"
    case .damagedNode: "a part of the list cannot be decoded"
    case .badChecksum: "bad checksum of a part of the list"
    case .emptyNode: "a part of the list has no elements"
    case .wrongCount: "a part of the list has another number of elements"
    case .unevenDepth: "the leaves of the list are at different depths"
    case .newerStamp: "a part of the list is newer than what refers to it"
    case .repeatedNode: "a part of the list is used twice"
    case .unknownNodeID: "the id of a part of the list was not assigned"
    case .unreachableNode: "a part of the list is not referred to"
    case .underfilledNode: "a part of the list has too few elements"
    }
  }

  /// Whether elements may be wrong or missing.
  package var isDamage: Bool { self != .unreachableNode && self != .underfilledNode }
}
