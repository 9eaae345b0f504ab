import Foundation
import VarveEncoding
import VarveTestSupport

/// The values of a row, to compare with a buffer.
struct RowModel {
  var values: [UInt32: StoredValue] = [:]
  var slots: [UInt32: CollectionSlot] = [:]
  /// The collections in the row.
  var elements: [UInt32: RowElements] = [:]
  var touches: [RowTouch] = []
}

/// The elements of a collection in a row.
struct RowElements: Hashable {
  var bytes: [UInt8]
  var count: Int
}

extension RowReader {
  var touches: [RowTouch] { (0..<touchCount).map { touch(at: $0) } }
}

extension SeededRandom {
  /// A layout with a few properties of all kinds, some without storage.
  mutating func layout(id: UInt16 = 7, properties: Int = 12) -> RowLayout {
    RowLayout(
      id: id, properties: (0..<properties).map { (UInt32($0 * 3 + 1), kind(), !oneIn(12)) })
  }

  mutating func kind() -> PropertyKind {
    PropertyKind(
      type: pick(Self.storedTypes + [.mixed]),
      collection: oneIn(6) ? pick([.list, .set, .dictionary]) : .none, isNullable: oneIn(2))
  }

  /// A value for a field: one of its type, null if allowed, or a blob.
  mutating func stored(_ field: RowField) -> StoredValue {
    if field.nullBit >= 0, oneIn(4) { return .value(.null) }
    let type = field.kind.type
    if type == .string || type == .data, oneIn(5) {
      let (byteCount, checksum) = (
        UInt32(truncatingIfNeeded: next()), UInt32(truncatingIfNeeded: next())
      )
      return .blob(
        BlobReference(id: next(), byteCount: byteCount, checksum: checksum), type: type)
    }
    let value = value(type)
    // Rows do not store the class of a link.
    if type == .link, case .link(_, let id) = value {
      return .value(.link(classID: 0, objectID: id))
    }
    return .value(value)
  }

  /// Sets every field at random, some of them repeatedly, and returns the expected values.
  mutating func fill(_ buffer: RowBuffer) throws -> RowModel {
    var model = RowModel()
    for field in buffer.layout.fields where field.isStored {
      for _ in 0..<int(1...3) { try set(field, in: buffer, &model) }
    }
    for _ in 0..<int(0...2) where oneIn(2) {
      let touch = RowTouch(propertyID: UInt32(int(0...3)), versionLow: UInt32(int(0...99)))
      buffer.touch(propertyID: touch.propertyID, versionLow: touch.versionLow)
      model.touches.removeAll { $0.propertyID == touch.propertyID }
      model.touches.append(touch)
    }
    return model
  }

  mutating func set(_ field: RowField, in buffer: RowBuffer, _ model: inout RowModel) throws {
    guard field.kind.collection == .none else {
      model.slots[field.propertyID] = nil
      model.elements[field.propertyID] = nil
      if oneIn(2) {
        let bytes = (0..<int(1...200)).map { _ in UInt8(truncatingIfNeeded: next()) }
        let elements = RowElements(bytes: bytes, count: int(1...9))
        bytes.withUnsafeBytes { buffer.setElements($0, count: elements.count, field) }
        model.elements[field.propertyID] = elements
        return
      }
      let slot = CollectionSlot(
        id: next() >> 2, revision: UInt32(int(0...9)), count: UInt32(int(0...9)))
      buffer.setCollectionSlot(slot, field)
      model.slots[field.propertyID] = slot
      return
    }
    let stored = stored(field)
    switch stored {
    case .value(let value): try buffer.set(value, field)
    case .blob(let reference, _): buffer.setBlob(reference, field)
    }
    model.values[field.propertyID] = stored
  }
}
