/// Returns the elements of a list from its nodes by id, walking the tree from its root, node 0.
func plainList(
  _ list: UInt64, _ nodes: [UInt64: [UInt8]], _ node: UInt64 = 0
) throws -> [PlainValue] {
  guard let bytes = nodes[node] else { throw PlainBytes.TooShort() }
  var reader = PlainBytes(bytes)
  let key = bigEndian(list, 8) + bigEndian(node, 8)
  guard try reader.number(4) == plainCRC32C(key + bytes.dropFirst(4)) else {
    throw PlainBytes.TooShort()
  }
  let kind = try reader.number(1)
  let format = try reader.number(1)
  let count = try reader.int(2)
  guard try reader.int(4) == bytes.count, bytes.count <= 2_000 else { throw PlainBytes.TooShort() }
  if kind == 2 {
    return try (0..<count).flatMap { _ in
      let child = try reader.number(8)
      _ = try reader.number(8)
      let below = try reader.int(4)
      let elements = try plainList(list, nodes, child)
      guard elements.count == below else { throw PlainBytes.TooShort() }
      return elements
    }
  }
  guard kind == 1 else { throw PlainBytes.TooShort() }
  return try plainElements(&reader, format: format, count: count, endWidth: 2)
}

/// The width of the ends of the parts of a collection in a row.
private func plainEndWidth(_ bytes: [UInt8], parts: Int) -> Int {
  bytes.count - parts <= 255 ? 1 : 2
}

/// Decodes the elements of a leaf, which are the rest of the bytes.
private func plainElements(
  _ reader: inout PlainBytes, format: UInt64, count: Int, endWidth: Int
) throws -> [PlainValue] {
  if format == 0 {
    let ends = try (0..<count).map { _ in try reader.int(endWidth) }
    let elements = try zip([0] + ends, ends).map { start, end in
      try plainElement(try reader.take(end - start)).value
    }
    guard reader.isAtEnd else { throw PlainBytes.TooShort() }
    return elements
  }
  let type = format & 0x7F
  let width =
    [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 4, 7: 8, 10: 8, 11: 16, 12: 12, 15: 8][Int(type)] ?? 0
  let elements = try (0..<count).map { _ -> PlainValue in
    let isPresent = format & 0x80 == 0 ? true : try reader.number(1) == 1
    let bytes = try reader.take(width)
    return isPresent ? try plainFixed(type, bytes) : .null
  }
  guard reader.isAtEnd else { throw PlainBytes.TooShort() }
  return elements
}

/// Decodes a list in a row.
func plainRowList(
  _ bytes: [UInt8], _ field: PlainClass.Field, count: Int
) throws -> [PlainValue] {
  let isVariable = [8, 9, 14].contains(field.type)
  var reader = PlainBytes(bytes)
  return try plainElements(
    &reader, format: isVariable ? 0 : field.type | (field.flags & 1) << 7, count: count,
    endWidth: plainEndWidth(bytes, parts: count))
}

/// Decodes a dictionary in a row.
func plainRowEntries(_ bytes: [UInt8], count: Int) throws -> [PlainEntry] {
  var reader = PlainBytes(bytes)
  let width = plainEndWidth(bytes, parts: 2 * count)
  let ends = try (0..<2 * count).map { _ in try reader.int(width) }
  let parts = try zip([0] + ends, ends).map { start, end in try reader.take(end - start) }
  let entries = stride(from: 0, to: parts.count, by: 2).map {
    PlainEntry(key: parts[$0], element: parts[$0 + 1])
  }
  let isInOrder = zip(entries, entries.dropFirst()).allSatisfy {
    $0.key.lexicographicallyPrecedes($1.key)
  }
  // Neither a blob nor a long key, and no nested collection.
  let isPlain = entries.allSatisfy { entry in
    guard let tag = entry.element.first else { return false }
    return entry.key.count <= 440 && !entry.key.contains(0) && tag & 0xC0 == 0
      && tag & 0x1F < 0x1E
  }
  guard reader.isAtEnd, isInOrder, isPlain else { throw PlainBytes.TooShort() }
  return entries
}
