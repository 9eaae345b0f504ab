/// The order and offsets of the properties in the rows of one layout. Layouts never change: a class
/// whose properties change gets a new one.
///
/// Thread safety: immutable, shared by any number of threads.
@usableFromInline
package final class RowLayout: Sendable {
  @usableFromInline package let id: UInt16
  /// The fields in the layout's order, including properties that are not stored.
  package let fields: [RowField]
  /// The end of the fixed part: header, null bitmap and slots.
  @usableFromInline package let fixedEnd: Int
  /// The number of fields with a null bit.
  package let nullCount: Int
  /// The fields whose values are stored outside their slots, or may be: collections.
  package let variableFields: [RowField]
  private let byProperty: [(propertyID: UInt32, index: Int)]

  /// Assigns null bits and offsets in the order of the properties.
  ///
  /// - Parameters:
  ///   - id: The number of the layout in its class.
  ///   - properties: The properties, without duplicates.
  package init(
    id: UInt16, properties: [(propertyID: UInt32, kind: PropertyKind, isStored: Bool)]
  ) {
    self.id = id
    nullCount = properties.count { $0.isStored && $0.kind.hasNullBit }
    var offset = Row.headerBytes + (nullCount + 7) / 8
    var bit = 0
    var fields: [RowField] = []
    fields.reserveCapacity(properties.count)
    for property in properties {
      guard property.isStored else {
        fields.append(
          RowField(
            propertyID: property.propertyID, kind: property.kind, offset: 0, width: 0, nullBit: -1,
            isStored: false))
        continue
      }
      let hasBit = property.kind.hasNullBit
      let width = property.kind.slotWidth
      fields.append(
        RowField(
          propertyID: property.propertyID, kind: property.kind, offset: offset, width: width,
          nullBit: hasBit ? bit : -1, isStored: true))
      offset += width
      if hasBit { bit += 1 }
    }
    self.fields = fields
    fixedEnd = offset
    variableFields = fields.filter {
      $0.isStored && ($0.kind.isVariable || $0.kind.collection != .none)
    }
    byProperty = fields.indices.map { (fields[$0].propertyID, $0) }
      .sorted { $0.propertyID < $1.propertyID }
  }

  /// Returns the field of a property; nil if the layout lacks it.
  ///
  /// - Complexity: O(log n).
  package func field(forProperty id: UInt32) -> RowField? {
    var low = 0
    var high = byProperty.count
    while low < high {
      let middle = (low + high) / 2
      if byProperty[middle].propertyID < id { low = middle + 1 } else { high = middle }
    }
    guard low < byProperty.count, byProperty[low].propertyID == id else { return nil }
    return fields[byProperty[low].index]
  }
}
