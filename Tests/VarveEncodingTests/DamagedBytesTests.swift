import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

/// Every decoder gets random and damaged bytes. It may return a value or throw a `FormatError`.
/// These tests, run with the address sanitizer, show that it neither traps nor reads out of bounds.
@Suite struct DamagedBytesTests {
  @Test func keysNeverTrap() {
    feed(5000) { random in
      var key = OrderedKey()
      key.append(uint32: 1)
      var value = random.value(.mixed)
      if random.oneIn(5) {
        value = .string(String(repeating: "a\0", count: random.int(200...300)))
      }
      _ = key.append(
        value, propertyType: random.oneIn(2) ? .mixed : .string, fileKey: testFileKey)
      key.append(uint64: 1)
      return key.bytes
    } decode: { bytes, _ in
      _ = try? CollectionEntryKey.decodeDictionaryKey(bytes)
      _ = try? ListNodeKey(decoding: bytes)
      _ = try? BlobChunkKey(decoding: bytes)
      _ = try? BacklinkKey(decoding: bytes)
      _ = try? BacklinkKey.decodeCount(bytes)
      _ = try? LastKeyRecord(decoding: bytes)
      _ = try? CatalogKey(decoding: bytes)
      _ = try? CollectionRecord.decodeKey(bytes)
      _ = IndexKey.objectID(atEndOf: bytes)
      _ = IndexKey.objectID(inValue: bytes)
    }
  }

  @Test func rowsNeverTrap() {
    var layouts = SeededRandom()
    let layout = layouts.layout(properties: 14)
    let buffer = RowBuffer(layout: layout)
    let target = RowBuffer(layout: layout)
    let other = RowLayout(
      id: 9, properties: layout.fields.reversed().map { ($0.propertyID, $0.kind, $0.isStored) })
    feed(3000) { random in
      buffer.begin(layout: layout)
      _ = try? random.fill(buffer)
      return buffer.finish { Array($0) }
    } repair: { bytes in
      // The header must be valid so that the damage reaches the bytes after it.
      guard bytes.count >= Row.headerBytes else { return }
      let length = UInt32(bytes.count)
      for byte in 0..<4 { bytes[4 + byte] = UInt8(truncatingIfNeeded: length >> UInt32(8 * byte)) }
      bytes[8] = UInt8(layout.id)
      bytes[9] = 0
    } decode: { bytes, _ in
      guard let reader = try? RowReader(validating: bytes, layout: layout) else { return }
      try? reader.verifyChecksum()
      for field in layout.fields {
        _ = try? reader.value(field)
        _ = try? reader.bytes(at: field)
        _ = reader.isNull(field)
      }
      _ = reader.touches
      if (try? target.load(from: reader)) != nil {
        for field in layout.fields where field.kind.isVariable && field.isStored {
          target.setString("new", field)
        }
        _ = target.finish()
      }
      if (try? target.load(from: reader, converting: other) { _ in .null }) != nil {
        _ = target.finish()
      }
    }
  }

  @Test func elementsNeverTrap() {
    feed(5000) { random in
      var buffer = ByteBuffer()
      ElementCodec.append(random.value(.mixed), to: &buffer)
      if random.oneIn(2) { random.data().lend { ElementCodec.appendWholeKey($0, to: &buffer) } }
      return buffer.bytes
    } decode: { bytes, _ in
      _ = try? CollectionEntry.verifyChecksum(bytes, key: bytes)
      _ = try? ElementReader(validating: CollectionEntry.element(of: bytes))
      guard let reader = try? ElementReader(validating: bytes) else { return }
      _ = try? reader.value()
      _ = reader.wholeKey
    }
  }

  @Test func listNodesNeverTrap() {
    let formats = [
      ListElementFormat.variable, ListElementFormat(type: .int64, isNullable: true),
      ListElementFormat(type: .uuid, isNullable: false),
    ]
    let buffer = ListLeafBuffer(format: .variable)
    feed(3000) { random in
      let type = random.pick([PropertyType.mixed, .int64, .uuid])
      guard let (leaf, _) = try? random.leaf(type, type != .uuid) else { return [] }
      return leaf.finish { Array($0) }
    } decode: { bytes, _ in
      for format in formats {
        guard let leaf = try? ListLeaf(validating: bytes, format: format) else { continue }
        for index in 0..<leaf.count { _ = try? leaf.value(at: index) }
        if (try? buffer.load(leaf)) != nil {
          for index in 0..<buffer.count { _ = try? buffer.value(at: index) }
        }
      }
      _ = try? ListNode.verifyChecksum(bytes)
    }
  }

  @Test func innerNodesNeverTrap() {
    feed(3000) { random in
      let buffer = ListInnerBuffer()
      for _ in 0..<random.int(0...5) {
        buffer.append(
          ListInnerEntry(nodeID: random.next(), stamp: 1, count: UInt32.max))
      }
      return buffer.finish { Array($0) }
    } decode: { bytes, _ in
      guard let node = try? ListInner(validating: bytes) else { return }
      _ = node.totalCount
      _ = node.find(.max)
      for index in 0..<node.count { _ = node.child(at: index) }
    }
  }

  @Test func catalogRecordsNeverTrap() {
    feed(5000) { random in
      var buffer = ByteBuffer()
      CatalogCodec.encode(random.storedClass(), into: &buffer)
      return buffer.bytes
    } repair: { bytes in
      // The checksum must be valid so that the damage reaches the bytes before it.
      bytes = sealed(Array(bytes.dropLast(4)))
    } decode: { bytes, _ in
      if let value = try? CatalogCodec.decodeClass(bytes) {
        _ = value.layouts.map { RowLayout($0) }
      }
      _ = try? CatalogCodec.decodeGeneration(bytes)
      _ = try? CollectionRecord(decoding: bytes)
    }
  }

  /// Feeds a decoder with valid, damaged and random bytes, each in a buffer of its exact size.
  private func feed(
    _ rounds: Int, make: (inout SeededRandom) -> [UInt8],
    repair: (inout [UInt8]) -> Void = { _ in },
    decode: (UnsafeRawBufferPointer, inout SeededRandom) -> Void
  ) {
    var random = SeededRandom()
    // A trap leaves no failure message, so the seed is printed beforehand.
    print("DamagedBytesTests: \(random)")
    for round in 0..<rounds {
      var bytes = round % 8 == 0 ? random.bytes(random.int(0...80)) : make(&random)
      if round % 8 > 1 { bytes = random.mutate(bytes) }
      if round % 3 != 0 { repair(&bytes) }
      bytes.lend { decode($0, &random) }
    }
  }
}
