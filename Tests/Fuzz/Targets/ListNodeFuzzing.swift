import VarveEncoding

/// Leaves and inner nodes of lists, and lists in rows. The input is the element format, and the
/// node, of which kind, format and length are made valid. For a list in a row, it is the byte 0x7E,
/// the format, the number of elements in two bytes, and the elements.
enum ListNodeFuzzing {
  static let rowChoice: UInt8 = 0x7E
  static let key = ListNodeKey(listID: 1, nodeID: 2)

  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    if choice == rowChoice {
      let format = format(input.byte())
      let count = Int(input.byte()) | Int(input.byte()) << 8
      return try input.remaining().lend { try runRow($0, count, format) }
    }
    var node = input.remaining()
    guard node.count >= ListNode.headerBytes, node.count <= ListNode.maximumBytes else {
      node.lend { _ = try? ListNode.verifyChecksum($0, key) }
      return
    }
    node.store(UInt32(node.count), at: 8)
    if choice & 0x7F == 0x7F {
      node[4] = 2
      node[5] = 0
      try node.lend(runInner)
    } else {
      let format = format(choice)
      node[4] = 1
      node[5] = format.rawValue
      try node.lend { try runLeaf($0, format) }
    }
  }

  static func format(_ choice: UInt8) -> ListElementFormat {
    let types = PropertyType.allCases
    return ListElementFormat(
      type: types[Int(choice & 0x7F) % types.count], isNullable: choice & 0x80 != 0)
  }

  private static func runLeaf(
    _ bytes: UnsafeRawBufferPointer, _ format: ListElementFormat
  ) throws {
    _ = try? ListNode.verifyChecksum(bytes, key)
    guard let leaf = try? ListLeaf(validating: bytes, format: format) else { return }
    try run(leaf, format)
  }

  private static func runRow(
    _ bytes: UnsafeRawBufferPointer, _ count: Int, _ format: ListElementFormat
  ) throws {
    guard let leaf = try? ListLeaf(elements: bytes, count: count, format: format) else { return }
    try run(leaf, format)
    let buffer = ListLeafBuffer(format: format)
    guard count > 0, (try? buffer.load(leaf)) != nil else { return }
    let written = withExtendedLifetime(buffer) { Array(buffer.elements) }
    try require(written.elementsEqual(bytes), "the elements have other bytes in a row")
  }

  /// Reads the elements, and moves them to other leaves.
  private static func run(_ leaf: ListLeaf, _ format: ListElementFormat) throws {
    for index in 0..<leaf.count { _ = try? value(leaf, index) }
    let buffer = ListLeafBuffer(format: format)
    guard (try? buffer.load(leaf)) != nil else { return }
    try compare(leaf, 0..<leaf.count, with: buffer)
    // Each half, moved to another leaf.
    let middle = leaf.count / 2
    let right = ListLeafBuffer(format: format)
    right.insert(from: buffer, middle..<leaf.count, at: 0)
    buffer.remove(middle..<leaf.count)
    try compare(leaf, 0..<middle, with: buffer)
    try compare(leaf, middle..<leaf.count, with: right)
    guard middle > 0 else { return }
    // An element replaced by a copy of another one.
    let first = Array(buffer.bytes(at: 0))
    let isNull = format.isPacked && buffer.isNull(at: 0)
    first.withUnsafeBytes { right.insert(bytes: isNull ? nil : $0, at: right.count) }
    right.remove(right.count - 1..<right.count)
    try compare(leaf, middle..<leaf.count, with: right)
  }

  private static func value(_ leaf: ListLeaf, _ index: Int) throws -> StoredValue {
    let bytes = try leaf.bytes(at: index)
    guard let type = leaf.format.type, let base = bytes.baseAddress else {
      return try ElementReader(validating: bytes).value()
    }
    if leaf.isNull(at: index) { return .value(.null) }
    return .value(try FixedValue.load(type, from: base, linkClass: 0))
  }

  /// Compares some elements of a leaf with all elements of a buffer.
  private static func compare(
    _ leaf: ListLeaf, _ range: Range<Int>, with buffer: ListLeafBuffer
  ) throws {
    try Array(buffer.finish(key)).lend { bytes in
      try require("a written leaf has a wrong checksum") {
        try ListNode.verifyChecksum(bytes, key)
      }
      let copy = try require("a written leaf is not a leaf") {
        try ListLeaf(validating: bytes, format: leaf.format)
      }
      try require(copy.count == range.count, "a copied leaf has another number of elements")
      for index in 0..<copy.count {
        let (left, right) = try require("an element cannot be read") {
          (try leaf.bytes(at: range.lowerBound + index), try copy.bytes(at: index))
        }
        try require(ByteOrder.areEqual(left, right), "element \(index) is another one in the copy")
        guard leaf.format.isPacked else { continue }
        let isSame = leaf.isNull(at: range.lowerBound + index) == copy.isNull(at: index)
        try require(isSame, "element \(index) became null, or not")
      }
    }
  }

  private static func runInner(_ bytes: UnsafeRawBufferPointer) throws {
    guard let node = try? ListInner(validating: bytes) else { return }
    let buffer = ListInnerBuffer()
    for index in 0..<node.count { buffer.append(node.child(at: index)) }
    try Array(buffer.finish(key)).lend { bytes in
      let copy = try require("a written node is not a node") { try ListInner(validating: bytes) }
      try require(copy.count == node.count, "a copied node has another number of children")
      for index in 0..<copy.count {
        let isSame = copy.child(at: index) == node.child(at: index)
        try require(isSame, "a copied node has another child")
      }
      try require(copy.totalCount == node.totalCount, "a copied node has another total")
    }
    let total = node.totalCount
    try require(node.find(total) == nil && node.find(.max) == nil, "an element past the end")
    for position in [0, total / 2, total - 1] where position >= 0 && position < total {
      guard let found = node.find(position) else {
        throw FuzzFinding(description: "element \(position) of \(total) is not found")
      }
      let before = (0..<found.entry).reduce(0) { $0 + Int(node.child(at: $1).count) }
      try require(before + found.position == position, "another element is found")
    }
  }
}
