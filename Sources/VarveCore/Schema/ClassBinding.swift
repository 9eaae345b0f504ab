import Synchronization
package import VarveEncoding
package import VarveStorage

/// Where one property of a model lies in a row of one layout.
package struct FieldAccess: Sendable {
  /// Bytes from the row's start; -1: the value is the object id; -2: the layout lacks the property.
  @usableFromInline package var offset: Int32
  /// The byte of the null bit, from the row's start; -1: never null.
  @usableFromInline package var nullByte: Int32
  @usableFromInline package var nullMask: UInt8

  @usableFromInline package static let inObjectID: Int32 = -1
  @usableFromInline package static let absent: Int32 = -2

  init(_ field: RowField?) {
    offset = FieldAccess.absent
    nullByte = -1
    nullMask = 0
    guard let field else { return }
    offset = field.isStored ? Int32(field.offset) : FieldAccess.inObjectID
    if field.nullBit >= 0 {
      nullByte = Int32(Row.headerBytes + field.nullBit >> 3)
      nullMask = 1 << UInt8(field.nullBit & 7)
    }
  }
}

/// A model class tied to the class that a store holds under its name.
///
/// Immutable; a store makes a new one when the schema changes and keeps every one that it ever
/// made, so that handles may refer to them without counting references.
package final class ClassBinding: @unchecked Sendable {
  package let model: ClassDescription
  /// Nil while the file does not know the class: such a class reads as empty.
  package let schema: ClassSchema?
  /// The schema generation that this was made from.
  package let generation: UInt64
  @usableFromInline package let table: Table
  /// The layout that `accesses` describes.
  @usableFromInline package let layoutID: UInt16
  private let fixedEnd: Int
  /// One for each model property, for rows of the current layout. Owned; never changed.
  @usableFromInline package let accesses: UnsafePointer<FieldAccess>
  /// The stored property behind each model property; nil for linking objects.
  package let properties: [StoredProperty?]

  // Safe because every property is a constant, and the memory behind `accesses` is written only in `init` and freed only in `deinit`.

  package init(model: ClassDescription, schema: ClassSchema?, generation: UInt64) {
    self.model = model
    self.schema = schema
    self.generation = generation
    table = schema?.table ?? Table.objects(ofClass: 0)
    layoutID = schema?.currentLayout.id ?? 0
    fixedEnd = schema?.currentLayout.fixedEnd ?? .max
    properties = model.properties.map { schema?.property(named: $0.name) }
    let memory = UnsafeMutablePointer<FieldAccess>.allocate(capacity: max(1, model.properties.count))
    for (slot, property) in properties.enumerated() {
      let field = property.flatMap { schema?.currentLayout.field(forProperty: $0.id) }
      (memory + slot).initialize(to: FieldAccess(field))
    }
    accesses = UnsafePointer(memory)
  }

  deinit { UnsafeMutablePointer(mutating: accesses).deallocate() }

  package var name: String { model.name }

  /// How many stored properties the model binds; a new row has to fill the others.
  package var boundCount: Int { properties.count { $0 != nil } }

  /// The address of a row whose header is sound; nil for one that the current layout does not
  /// describe.
  package func rowAddress(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard RowHeader.isRow(bytes, layoutID: layoutID, fixedEnd: fixedEnd) else { return nil }
    return bytes.baseAddress
  }

  /// The access for a row that another layout describes, and the constant it reads when the layout
  /// lacks the property. Nil when this binding does not know the layout.
  package func access(slot: Int, layoutID: UInt16) -> (FieldAccess, Value)? {
    guard let schema, let layout = schema.layouts[layoutID], let property = properties[slot] else {
      return nil
    }
    let field = layout.field(forProperty: property.id)
    return (FieldAccess(field), property.addedConstant ?? .null)
  }
}
