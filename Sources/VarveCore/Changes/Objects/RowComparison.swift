import Foundation
package import VarveEncoding
import VarveStorage

/// Finds the properties in which two versions of an object differ.
///
/// What counts is what a reader sees: a list that was changed and changed back is the same, and so are two
/// blobs with the same bytes. A property that was set to the value that it had is told by the row's touches.
struct RowComparison {
  private let schema: ClassSchema
  private let old: Snapshot
  private let new: Snapshot
  /// The touches of these versions lie between the two that are compared.
  private let touched: TouchedVersions

  init(_ schema: ClassSchema, _ old: Snapshot, _ new: Snapshot) {
    self.schema = schema
    self.old = old
    self.new = new
    touched = TouchedVersions(old.version.counter, new.version.counter)
  }

  /// - Parameters:
  ///   - oldBytes: the row in the old version.
  ///   - newBytes: the row in the new one.
  ///   - id: the object's id.
  ///   - ids: gets the ids of the properties that differ, in the order of the class.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(properties), O(bytes) for strings and data; collections as their comparison.
  func differences(
    _ oldBytes: UnsafeRawBufferPointer, _ newBytes: UnsafeRawBufferPointer, of id: UInt64,
    into ids: inout [UInt32]
  ) throws(Failure) {
    ids.removeAll(keepingCapacity: true)
    let rows: (old: RowReader, new: RowReader) = try Failure.decoding(
      "A row is damaged.", className: schema.name,
      (try schema.reader(for: oldBytes), try schema.reader(for: newBytes)))
    // Touches of the later version, in whichever direction is compared.
    let later = touched.isForward ? rows.new : rows.old
    for property in schema.properties {
      if try !isSame(property, rows.old, rows.new, id)
        || later.isTouched(property.id, in: touched)
      {
        ids.append(property.id)
      }
    }
  }

  private func isSame(
    _ property: StoredProperty, _ oldRow: RowReader, _ newRow: RowReader, _ id: UInt64
  ) throws(Failure) -> Bool {
    guard let oldField = oldRow.layout.field(forProperty: property.id),
      let newField = newRow.layout.field(forProperty: property.id)
    else { return try isSameOfOtherLayout(property, oldRow, newRow, id) }
    guard oldField.isStored || newField.isStored else { return true }
    let isEqual = try Failure.decoding(
      "A row is damaged.", className: schema.name, propertyName: property.name,
      try oldRow.isEqual(oldField, to: newRow, newField))
    if isEqual { return true }
    if property.kind.collection != .none {
      return try isSameCollection(
        property, oldRow.collectionSlot(oldField), newRow.collectionSlot(newField))
    }
    guard property.kind.isVariable else { return false }
    return try isSameLargeValue(property, oldRow, oldField, newRow, newField)
  }

  private func isSameCollection(
    _ property: StoredProperty, _ before: CollectionSlot, _ after: CollectionSlot
  ) throws(Failure) -> Bool {
    try CollectionDifference(of: property, from: before, to: after).isEmpty(from: old, to: new)
  }

  /// Bytes that are another blob, or stand in the row in one version only.
  private func isSameLargeValue(
    _ property: StoredProperty, _ oldRow: RowReader, _ oldField: RowField, _ newRow: RowReader,
    _ newField: RowField
  ) throws(Failure) -> Bool {
    let (left, right) = try Failure.decoding(
      "A row is damaged.", className: schema.name,
      (try oldRow.bytes(at: oldField), try newRow.bytes(at: newField)))
    guard oldRow.isNull(oldField) == newRow.isNull(newField) else { return false }
    switch (left, right) {
    case (.inline(let a), .inline(let b)):
      return property.kind.type == .mixed ? try isSameMixedValue(a, b) : false
    case (.blob(let a), .blob(let b)):
      guard a.byteCount == b.byteCount else { return false }
      return try old.blob(a.id, byteCount: a.byteCount) == new.blob(b.id, byteCount: b.byteCount)
    case (.blob(let a), .inline(let b)):
      guard a.byteCount == UInt64(b.count) else { return false }
      return try old.blob(a.id, byteCount: a.byteCount).elementsEqual(b)
    case (.inline(let a), .blob(let b)):
      guard b.byteCount == UInt64(a.count) else { return false }
      return try new.blob(b.id, byteCount: b.byteCount).elementsEqual(a)
    }
  }

  /// Mixed values with other bytes: the same where they name two blobs that hold the same.
  private func isSameMixedValue(
    _ before: UnsafeRawBufferPointer, _ after: UnsafeRawBufferPointer
  ) throws(Failure) -> Bool {
    let elements: (old: ElementReader, new: ElementReader) = try Failure.decoding(
      "A row is damaged.", className: schema.name,
      (try ElementReader(validating: before), try ElementReader(validating: after)))
    guard let left = elements.old.blob, let right = elements.new.blob,
      elements.old.type == elements.new.type
    else { return false }
    return try Failure.translating(
      try StoredBlob(reference: left, snapshot: old)
        .hasSameBytes(as: StoredBlob(reference: right, snapshot: new)))
  }

  /// A property that one of the rows was written without.
  private func isSameOfOtherLayout(
    _ property: StoredProperty, _ oldRow: RowReader, _ newRow: RowReader, _ id: UInt64
  ) throws(Failure) -> Bool {
    if property.kind.collection != .none {
      return try isSameCollection(property, oldRow.slot(of: property), newRow.slot(of: property))
    }
    let before = try old.value(of: oldRow, id, property)
    return before.isIdentical(to: try new.value(of: newRow, id, property))
  }
}

/// The versions whose touches count: those after the earlier one of two, up to the later one.
struct TouchedVersions {
  let isForward: Bool
  private let first: UInt32
  private let count: UInt64

  init(_ old: UInt64, _ new: UInt64) {
    isForward = old <= new
    let earlier = min(old, new)
    first = UInt32(truncatingIfNeeded: earlier &+ 1)
    count = max(old, new) - earlier
  }

  /// Whether the low half of a version is that of one of them.
  func contains(_ versionLow: UInt32) -> Bool { UInt64(versionLow &- first) < count }
}

extension RowReader {
  fileprivate func isTouched(_ propertyID: UInt32, in versions: TouchedVersions) -> Bool {
    for index in 0..<touchCount {
      let touch = touch(at: index)
      if touch.propertyID == propertyID, versions.contains(touch.versionLow) { return true }
    }
    return false
  }

  /// Where a collection is; nowhere for one that the row was written without.
  package func slot(of property: StoredProperty) -> CollectionSlot {
    layout.field(forProperty: property.id).map { collectionSlot($0) } ?? .none
  }
}
