package import Foundation
package import VarveEncoding
import VarveStorage

/// The layout of rows of new objects of one class, looked up once for a run of them. It counts no
/// references.
///
/// Valid as long as the transaction's schema does not change.
package struct RowTemplate {
  // Safe because the store keeps every binding that it ever made, and a binding keeps its parts.

  package let binding: Unmanaged<ClassBinding>
  let model: Unmanaged<ClassDescription>
  package let schema: Unmanaged<ClassSchema>
  let table: Table
  package let classID: UInt32
  /// The stored properties of the model, in the order of its slots.
  package let firstField: UnsafePointer<Field>
  package let fieldCount: Int
  /// Whether the primary key is an integer, and therefore the object id.
  package let hasIntegerKey: Bool
  /// Whether an object whose primary key is 0 gets the next key.
  package let generatesKeys: Bool
  /// The id of the object with the greatest key that can be generated.
  let greatestGeneratedID: UInt64
  /// The slot of the primary key; -1 where there is none.
  package let keySlot: Int
  /// Whether every property is one value that is neither a link nor mixed, so that storing it needs
  /// no other object.
  package let isPlain: Bool
  /// Whether the class has properties that the model lacks: another process added them.
  package let hasUnknownProperties: Bool
  /// Whether the class has compound, unique or full-text indexes.
  let hasClassIndexes: Bool
  /// The model of the class.
  package var description: ClassDescription { model.takeUnretainedValue() }

  /// The target of one property's value.
  package struct Field: Sendable {
    /// The kind of content of the property.
    package enum Content: Sendable {
      case value
      /// A link to an object that is not embedded.
      case link
      /// A link to an embedded object, or a mixed value.
      case linkOrMixed
      /// A collection whose content is stored before the row.
      case collection
      /// A collection of mixed values or embedded objects, which is filled once the rows of all new
      /// objects are stored.
      case lateCollection

      /// Whether the property has one value.
      package var isSingle: Bool {
        switch self {
        case .value, .link, .linkOrMixed: true
        case .collection, .lateCollection: false
        }
      }
    }

    package let content: Content
    /// The class that a link or a collection of links points to; 0 for other properties.
    package let linkedClassID: UInt32
    package let slot: Int
    /// The type whose values are written unchanged; nil where an index has to be updated, too.
    package let plainType: PropertyType?
    let field: RowField
    /// The index of the property in the stored class.
    package let index: Int
    /// The index of the values; 0 for none. The index of a primary key is updated when the id is
    /// assigned.
    let indexID: UInt32
    /// Whether a null value needs no write, because new rows are initialized to null.
    package let isNullAtFirst: Bool
  }

  /// `firstField`: The first element of `fields`, in memory that exists as long as the binding.
  init(
    _ binding: ClassBinding, _ schema: ClassSchema, _ fields: [Field],
    at firstField: UnsafePointer<Field>
  ) {
    self.binding = .passUnretained(binding)
    self.schema = .passUnretained(schema)
    self.firstField = firstField
    fieldCount = fields.count
    model = .passUnretained(binding.model)
    table = schema.table
    classID = schema.id
    keySlot = binding.model.primaryKeySlot ?? -1
    hasUnknownProperties = schema.properties.count > binding.boundCount
    isPlain = !hasUnknownProperties && fields.allSatisfy { $0.content == .value }
    hasIntegerKey = schema.hasIntegerPrimaryKey
    generatesKeys = binding.model.generatesKeys
    greatestGeneratedID = schema.primaryKey?.kind.type.greatestObjectID ?? 0
    hasClassIndexes = !schema.indexes.isEmpty
  }

  /// The stored properties of the model, in the order of its slots.
  package var fields: UnsafeBufferPointer<Field> {
    UnsafeBufferPointer(start: firstField, count: fieldCount)
  }

  /// Returns the target of the value of a slot, or nil for a property that no row stores.
  ///
  /// - Complexity: O(properties).
  package func field(of slot: Int) -> UnsafePointer<Field>? {
    fields.firstIndex { $0.slot == slot }.map { firstField + $0 }
  }

  @inline(__always)
  func isOf(_ model: Unmanaged<ClassDescription>) -> Bool {
    self.model.toOpaque() == model.toOpaque()
  }
}

extension RowTemplate.Field {
  /// Returns the targets of all properties that rows of a class store, for new objects without a
  /// model. The slot of a property is its index in the class.
  package static func all(of schema: ClassSchema, in file: FileSchema) -> [RowTemplate.Field] {
    schema.properties.enumerated().compactMap { index, property in
      RowTemplate.Field(property, slot: index, in: schema, file)
    }
  }

  /// Creates the target of a property in a row of the current layout.
  ///
  /// - Returns: Nil for a property that no row stores.
  init?(_ property: StoredProperty, slot: Int, in schema: ClassSchema, _ file: FileSchema) {
    guard let field = schema.currentLayout.field(forProperty: property.id), field.isStored,
      let index = schema.properties.firstIndex(where: { $0.id == property.id })
    else { return nil }
    let (collection, type) = (property.kind.collection, property.kind.type)
    let isEmbedding =
      type == .link && file.schema(ofClass: property.linkedClassID)?.record.isEmbedded ?? true
    switch (collection, type) {
    case (.none, .mixed): content = .linkOrMixed
    case (.none, .link): content = isEmbedding ? .linkOrMixed : .link
    case (.none, _): content = .value
    default: content = type == .mixed || isEmbedding ? .lateCollection : .collection
    }
    let isIndexed = property.indexID != 0 && !property.isPrimaryKey
    self.field = field
    self.index = index
    self.slot = slot
    linkedClassID = type == .link ? property.linkedClassID : 0
    plainType = isIndexed || content != .value ? nil : field.kind.type
    indexID = isIndexed ? property.indexID : 0
    isNullAtFirst = !isIndexed && (field.kind.isNullable || collection == .none && type == .link)
  }
}
