package import Foundation
package import VarveEncoding
import VarveStorage

/// How rows of new objects of one class are filled, looked up once for a run of them. It counts no references.
///
/// Thread safety: an immutable value, right as long as the transaction's schema stays what it is.
package struct RowTemplate {
  // Safe because the store keeps every binding that it ever made, and a binding what it is made of.

  package let binding: Unmanaged<ClassBinding>
  fileprivate let model: Unmanaged<ClassDescription>
  package let schema: Unmanaged<ClassSchema>
  let table: Table
  package let classID: UInt32
  /// The stored properties of the model, in the order of its slots.
  package let firstField: UnsafePointer<Field>
  package let fieldCount: Int
  /// Whether the primary key is an integer, and with that the object id.
  package let hasIntegerKey: Bool
  /// Whether an object whose primary key is 0 gets the next one.
  package let generatesKeys: Bool
  /// The id of the object with the greatest key that can be generated.
  let greatestGeneratedID: UInt64
  /// The slot of the primary key; -1 where there is none.
  package let keySlot: Int
  /// Whether every property is one value that is neither a link nor mixed: no other object is needed to store one.
  package let isPlain: Bool
  /// Whether the class has properties that the model does not know: another process added them.
  package let hasUnknownProperties: Bool
  /// Whether the class has indexes over several properties, unique or full-text ones.
  let hasClassIndexes: Bool
  /// The model of the class.
  package var description: ClassDescription { model.takeUnretainedValue() }

  /// Where the value of one property goes.
  package struct Field: Sendable {
    /// What the property holds.
    package enum Content: Sendable {
      case value
      /// A link to an object that is not embedded.
      case link
      /// A link to an embedded object, or a mixed value.
      case linkOrMixed
      /// A collection whose content is stored before the row.
      case collection
      /// A collection of mixed values or embedded objects, which is filled once the rows of all new objects are stored.
      case lateCollection
    }

    package let content: Content
    /// The class that a link or a collection of links points to; 0 for other properties.
    package let linkedClassID: UInt32
    package let slot: Int
    /// The type whose values are filled in as they are; nil where an index has to be kept, too.
    package let plainType: PropertyType?
    let field: RowField
    /// The place of the property in the stored class.
    let place: Int
    /// The index of the values; 0 for none. That of a primary key is kept when the id is given.
    let indexID: UInt32
    /// Whether a value that is null is filled in already: in a new row everything is.
    package let isNullAtFirst: Bool
  }

  /// `firstField`: the first one of `fields`, in memory that lives as long as the binding.
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

  /// Where the value of a slot goes; nil for a property that no row stores.
  ///
  /// - Complexity: O(properties).
  package func field(of slot: Int) -> UnsafePointer<Field>? {
    let fields = UnsafeBufferPointer(start: firstField, count: fieldCount)
    return fields.firstIndex { $0.slot == slot }.map { firstField + $0 }
  }

  @inline(__always)
  fileprivate func isOf(_ model: Unmanaged<ClassDescription>) -> Bool {
    self.model.toOpaque() == model.toOpaque()
  }
}

extension RowTemplate.Field {
  /// Where a property goes in a row of the current layout.
  ///
  /// - Returns: nil for a property that no row stores.
  init?(_ property: StoredProperty, slot: Int, in schema: ClassSchema, _ file: FileSchema) {
    guard let field = schema.currentLayout.field(forProperty: property.id), field.isStored,
      let place = schema.properties.firstIndex(where: { $0.id == property.id })
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
    self.place = place
    self.slot = slot
    linkedClassID = type == .link ? property.linkedClassID : 0
    plainType = isIndexed || content != .value ? nil : field.kind.type
    indexID = isIndexed ? property.indexID : 0
    isNullAtFirst = !isIndexed && (field.kind.isNullable || collection == .none && type == .link)
  }
}

extension Transaction {
  /// How rows of new objects of a class are filled; registers the class when the file does not have it.
  ///
  /// - Returns: the template, valid until the schema changes.
  @inline(__always)
  package func rowTemplate(
    for model: Unmanaged<ClassDescription>
  ) throws(Failure) -> UnsafePointer<RowTemplate> {
    if let lastTemplate, lastTemplate.pointee.isOf(model) { return lastTemplate }
    return try newTemplate(for: model.takeUnretainedValue())
  }

  private func newTemplate(
    for model: ClassDescription
  ) throws(Failure) -> UnsafePointer<RowTemplate> {
    guard let template = try binding(for: model).template else {
      throw Failure(.invalidSchema, "The class is not in the file.", className: model.name)
    }
    lastTemplate = template
    return template
  }

  /// The id of an object that is about to be stored under an integer primary key.
  ///
  /// - Throws: `.duplicatePrimaryKey` when an object has the key.
  package func newObjectID(
    _ template: UnsafePointer<RowTemplate>, integerKey key: Int64
  ) throws(Failure) -> UInt64 {
    let id = ObjectKey.objectID(forInteger: key)
    if _fastPath(appendPoints.isAfter(id, template.pointee.classID)) { return id }
    return try newObjectID(template.pointee.schema.takeUnretainedValue(), primaryKey: .int(key))
  }

  /// The id of an object that is about to be stored without an integer primary key; see
  /// ``newObjectID(_:primaryKey:)``.
  package func newObjectID(
    _ template: UnsafePointer<RowTemplate>, key: Value?
  ) throws(Failure) -> UInt64 {
    key == nil
      ? nextObjectID()
      : try newObjectID(template.pointee.schema.takeUnretainedValue(), primaryKey: key)
  }

  package func beginRow(_ template: UnsafePointer<RowTemplate>) {
    template.pointee.schema._withUnsafeGuaranteedRef {
      scratchRow.begin(layout: $0.currentLayout)
    }
  }

  // Fills one property of the new row with a value of its own type.

  package func fill(_ field: UnsafePointer<RowTemplate.Field>, _ value: Int64) {
    scratchRow.setInt64(value, field.pointee.field)
  }

  package func fill(_ field: UnsafePointer<RowTemplate.Field>, _ value: Double) {
    scratchRow.setDouble(value, field.pointee.field)
  }

  package func fill(_ field: UnsafePointer<RowTemplate.Field>, _ value: Date) {
    scratchRow.setDate(value, field.pointee.field)
  }

  package func fill(_ field: UnsafePointer<RowTemplate.Field>, _ value: Bool) {
    scratchRow.setBool(value, field.pointee.field)
  }

  /// - Returns: false for an integer that is too great for the property; then nothing was filled.
  package func tryFill(
    _ field: UnsafePointer<RowTemplate.Field>, narrow value: Int64
  ) -> Bool {
    let unused = 64 - 8 * field.pointee.field.width
    guard (value << unused) >> unused == value else { return false }
    scratchRow.setInt64(value, field.pointee.field)
    return true
  }

  /// - Returns: false for a string that is too long for a row; then nothing was filled.
  package func tryFill(_ field: UnsafePointer<RowTemplate.Field>, _ value: String) -> Bool {
    guard value.utf8.count <= Row.maximumInlineBytes else { return false }
    scratchRow.setString(value, field.pointee.field)
    return true
  }

  /// Fills one property of the new row, whatever the value, with its index entry and its backlink.
  ///
  /// - Throws: `.typeMismatch` or `.missingValue` when the value does not fit.
  package func fill(
    _ field: UnsafePointer<RowTemplate.Field>, _ value: Value, object id: UInt64,
    _ template: UnsafePointer<RowTemplate>
  ) throws(Failure) {
    try fill(field.pointee, value, object: id, in: template.pointee.schema.takeUnretainedValue())
  }

  /// Stores the new row, as ``insertRow(_:_:)``.
  package func insertRow(
    _ template: UnsafePointer<RowTemplate>, _ id: UInt64
  ) throws(Failure) {
    guard !template.pointee.hasClassIndexes, appendPoints.isAfter(id, template.pointee.classID),
      _fastPath(!hasLeftEngine)
    else { return try insertRow(template.pointee.schema.takeUnretainedValue(), id) }
    let bytes = scratchRow.finish()
    do throws(StorageError) {
      try storage.append(template.pointee.table, id: id, bytes)
    } catch {
      throw Failure(error)
    }
    appendPoints.note(id, template.pointee.classID)
  }
}
