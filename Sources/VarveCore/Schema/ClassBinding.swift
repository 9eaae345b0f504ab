import Synchronization
package import VarveEncoding
package import VarveStorage

/// The location of a property of a model in a row of one layout.
package struct FieldAccess: Sendable {
  /// The offset in bytes from the row's start; -1: the value is the object id; -2: the layout lacks
  /// the property.
  package var offset: Int32
  /// The offset of the byte with the null bit, from the row's start; -1: never null.
  package var nullByte: Int32
  package var nullMask: UInt8

  package static let inObjectID: Int32 = -1
  package static let absent: Int32 = -2

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

/// The facts that a lookup by primary key needs, without references to count.
struct KeyTraits: Sendable {
  /// Whether the key is the object id itself.
  var isObjectID: Bool
  var indexID: UInt32
  var kind: PropertyKind

  init(_ property: StoredProperty) {
    isObjectID = property.kind.isIntegerKey
    indexID = property.indexID
    kind = property.kind
  }
}

/// The binding of a model class to the class that a store contains under its name.
///
/// A class whose properties have other types in the file than in the model has a *schema mismatch*:
/// the model must not read its rows, and it reads as a class that is not in the file. The same
/// applies to a property that links to a class with a schema mismatch.
///
/// Immutable. A store makes a new binding when the schema changes and keeps every binding that it
/// ever made, so that handles may refer to them without counting references.
package final class ClassBinding: @unchecked Sendable {
  package let model: ClassDescription
  /// Nil while the class is not in the file, and for a schema mismatch: such a class reads as
  /// empty.
  package let schema: ClassSchema?
  /// The schema mismatches of the class, as sentences; empty when model and file match.
  let mismatches: [String]
  /// The schema mismatches of the classes that its properties link to.
  let linkedMismatches: [String]
  /// Whether neither the class nor a class that it links to has a schema mismatch.
  let fits: Bool
  /// The schema generation that the binding was made from.
  package let generation: UInt64
  /// The outcome of the write whose schema the binding was made from; nil for a schema of the file.
  let outcome: TransactionOutcome?
  package let table: Table
  /// The primary key; nil for a class without one, and for a class that is not in the file.
  let key: KeyTraits?
  /// Whether the class is in the file.
  let isInFile: Bool
  /// Whether rows of the class may contain marks of missing defaults.
  let mayLackDefaults: Bool
  /// The layout that `accesses` describes.
  package let layoutID: UInt16
  private let fixedEnd: Int
  /// One element per model property, for rows of the current layout. Owned; never changed.
  package let accesses: UnsafePointer<FieldAccess>
  /// One element per model property. Owned; never changed.
  let elementTraits: UnsafePointer<ElementTraits>
  /// The stored property of each model property; nil for linking objects.
  package let properties: [StoredProperty?]

  // Safe because every property is a constant, and the memory behind `accesses`, `elementTraits`
  // and `template` is written only in `init` and freed only in `deinit`.

  /// Compares the model with the file and with the classes that it links to. Looks those classes
  /// up, which runs code of the model at their first use.
  ///
  /// `outcome`: The outcome of the write whose uncommitted schema this is.
  package init(
    model: ClassDescription, in file: FileSchema, outcome: TransactionOutcome? = nil
  ) {
    let mismatches = ClassBinding.mismatches(of: model, in: file)
    let linked = model.properties.map { property in
      model.linkedClass(of: property).map { ClassBinding.mismatches(of: $0, in: file) } ?? []
    }
    let schema = mismatches.isEmpty ? file.schema(named: model.name) : nil
    self.model = model
    self.outcome = outcome
    self.schema = schema
    self.mismatches = mismatches
    linkedMismatches = linked.flatMap(\.self)
    fits = mismatches.isEmpty && linkedMismatches.isEmpty
    isInFile = schema != nil
    generation = file.generation
    table = schema?.table ?? Table.objects(ofClass: 0)
    key = schema?.primaryKey.map(KeyTraits.init)
    mayLackDefaults = schema?.mayLackDefaults ?? false
    layoutID = schema?.currentLayout.id ?? 0
    fixedEnd = schema?.currentLayout.fixedEnd ?? .max
    properties = zip(model.properties, linked).map { property, mismatches in
      property.isStored && mismatches.isEmpty ? schema?.property(named: property.name) : nil
    }
    boundCount = properties.count { $0 != nil }
    let memory = UnsafeMutablePointer<FieldAccess>.allocate(
      capacity: max(1, model.properties.count))
    for (slot, property) in properties.enumerated() {
      let field = property.flatMap { schema?.currentLayout.field(forProperty: $0.id) }
      (memory + slot).initialize(to: FieldAccess(field))
    }
    accesses = UnsafePointer(memory)
    let traits = UnsafeMutablePointer<ElementTraits>.allocate(
      capacity: max(1, model.properties.count))
    for (slot, property) in properties.enumerated() {
      (traits + slot).initialize(to: ElementTraits(model.properties[slot], property))
    }
    elementTraits = UnsafePointer(traits)
    guard let schema else {
      template = nil
      return
    }
    let fields = properties.enumerated().compactMap { slot, property in
      property.flatMap { RowTemplate.Field($0, slot: slot, in: schema, file) }
    }
    let template = UnsafeMutablePointer<RowTemplate>.allocate(capacity: 1)
    self.template = UnsafePointer(template)
    let first = UnsafeMutablePointer<RowTemplate.Field>.allocate(capacity: max(1, fields.count))
    first.initialize(from: fields, count: fields.count)
    template.initialize(to: RowTemplate(self, schema, fields, at: first))
  }

  private static func mismatches(of model: ClassDescription, in file: FileSchema) -> [String] {
    file.schema(named: model.name).map {
      SchemaComparison(model: model, stored: $0, in: file).conflicts
    } ?? []
  }

  deinit {
    UnsafeMutablePointer(mutating: accesses).deallocate()
    UnsafeMutablePointer(mutating: elementTraits).deallocate()
    template?.pointee.firstField.deallocate()
    template?.deallocate()
  }

  /// The template for rows of new objects; nil for a class that is not in the file. Owned; never
  /// changed.
  let template: UnsafePointer<RowTemplate>?

  package var name: String { model.name }

  /// The error of a write that uses a class with a schema mismatch.
  var mismatch: Failure { Failure.schemaMismatch(mismatches + linkedMismatches) }

  /// The number of stored properties that the model binds; a new row has to fill the others.
  package let boundCount: Int

  /// Returns the address of a row with a valid header, or nil for a row of another than the current
  /// layout.
  package func rowAddress(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard RowHeader.isRow(bytes, layoutID: layoutID, fixedEnd: fixedEnd) else { return nil }
    return bytes.baseAddress
  }

  /// Returns the access for a row of another layout, and the constant that is read when the layout
  /// lacks the property. Nil when this binding does not contain the layout.
  package func access(slot: Int, layoutID: UInt16) -> (FieldAccess, Value)? {
    guard let schema, let layout = schema.layouts[layoutID], let property = properties[slot] else {
      return nil
    }
    let field = layout.field(forProperty: property.id)
    return (FieldAccess(field), property.constant)
  }
}
