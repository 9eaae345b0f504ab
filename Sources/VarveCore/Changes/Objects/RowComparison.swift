package import VarveEncoding
import VarveStorage

/// Finds the properties in which two versions of an object differ.
///
/// The visible values are compared: a list that was changed and reverted is the same, and so are
/// two blobs with the same bytes. The row's touches record that a property was set to its previous
/// value.
struct RowComparison {
  private let schema: ClassSchema
  private let old: Snapshot
  private let new: Snapshot
  /// The versions whose touches are after the earlier and up to the later of the compared versions.
  private let touched: TouchedVersions

  init(_ schema: ClassSchema, _ old: Snapshot, _ new: Snapshot) {
    self.schema = schema
    self.old = old
    self.new = new
    touched = TouchedVersions(old.version.counter, new.version.counter)
  }

  /// Collects the properties that differ.
  ///
  /// - Parameters:
  ///   - oldBytes: The row in the old version.
  ///   - newBytes: The row in the new version.
  ///   - ids: Receives the ids of the properties that differ, in the order of the class.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(properties), O(bytes) for strings and data; for collections the cost of their
  ///   comparison.
  func differences(
    _ oldBytes: UnsafeRawBufferPointer, _ newBytes: UnsafeRawBufferPointer, of id: UInt64,
    into ids: inout [UInt32]
  ) throws(Failure) {
    ids.removeAll(keepingCapacity: true)
    let rows: (old: RowReader, new: RowReader) = try Failure.decoding(
      "A row is damaged.", className: schema.name,
      (try schema.reader(for: oldBytes), try schema.reader(for: newBytes)))
    // The later version's row has the touches, whichever way the versions are compared.
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
        property, oldRow.collectionContent(oldField), newRow.collectionContent(newField))
    }
    guard property.kind.isVariable else { return false }
    return try isSameLargeValue(property, oldRow, oldField, newRow, newField)
  }

  private func isSameCollection(
    _ property: StoredProperty, _ before: CollectionContent, _ after: CollectionContent
  ) throws(Failure) -> Bool {
    try CollectionDifference(of: property, from: before, to: after).isEmpty(from: old, to: new)
  }

  /// Compares values whose bytes are in different blobs, or are stored inline in one version only.
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
      return try isSameBlob(a, b)
    case (.blob(let a), .inline(let b)):
      return try Failure.translating(try StoredBlob(reference: a, snapshot: old).hasBytes(b))
    case (.inline(let a), .blob(let b)):
      return try Failure.translating(try StoredBlob(reference: b, snapshot: new).hasBytes(a))
    }
  }

  private func isSameBlob(_ a: BlobReference, _ b: BlobReference) throws(Failure) -> Bool {
    try Failure.translating(
      try StoredBlob(reference: a, snapshot: old)
        .hasSameBytes(as: StoredBlob(reference: b, snapshot: new)))
  }

  /// Compares mixed values with different bytes. They are the same if they refer to two blobs with
  /// the same bytes.
  private func isSameMixedValue(
    _ before: UnsafeRawBufferPointer, _ after: UnsafeRawBufferPointer
  ) throws(Failure) -> Bool {
    let elements: (old: ElementReader, new: ElementReader) = try Failure.decoding(
      "A row is damaged.", className: schema.name,
      (try ElementReader(validating: before), try ElementReader(validating: after)))
    guard let left = elements.old.blob, let right = elements.new.blob,
      elements.old.type == elements.new.type
    else { return false }
    return try isSameBlob(left, right)
  }

  /// Compares a property that one of the row layouts lacks.
  private func isSameOfOtherLayout(
    _ property: StoredProperty, _ oldRow: RowReader, _ newRow: RowReader, _ id: UInt64
  ) throws(Failure) -> Bool {
    if property.kind.collection != .none {
      return try isSameCollection(
        property, oldRow.content(of: property), newRow.content(of: property))
    }
    let before = try old.value(of: oldRow, id, property)
    let after = try new.value(of: newRow, id, property)
    // A nested collection has another slot after a change.
    if case .nested(_, let slot) = before, case .nested(_, let newSlot) = after, slot != newSlot {
      return false
    }
    return before.isIdentical(to: after)
  }
}

/// The versions whose touches count: those after the earlier of two versions, up to the later one.
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

  /// Whether the given low half is the low half of one of the versions.
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

  /// Returns the content of a collection, or `.none` if the row's layout lacks it.
  package func content(of property: StoredProperty) -> CollectionContent {
    layout.field(forProperty: property.id).map { collectionContent($0) } ?? .none
  }
}
