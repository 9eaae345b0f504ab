import VarveCore
import VarveEncoding

/// Stores objects whose properties are all plain values, which are neither links nor mixed values.
extension Transaction {
  /// Stores an unmanaged object whose properties are all plain values, and makes it managed.
  ///
  /// - Returns: A link to the object. Returns nil without effect when the class has other
  ///   properties, and when another thread has added the object.
  func storePlain(_ object: ObjectBase, _ context: ReadContext) throws(Failure) -> Value? {
    var template = try rowTemplate(for: object)
    guard template.pointee.isPlain else { return nil }
    var made: ReadContext?
    defer { withExtendedLifetime(made) {} }
    let created: Unmanaged<ReadContext>
    if let kept = keptContext(like: context) {
      created = kept
    } else {
      guard let view = context.view else { return nil }
      let context = contextForCreated(in: view)
      made = context
      created = .passUnretained(context)
    }
    if let link = try storePlain(object, template, created) { return link }
    // Evaluating defaults runs code of the model, which may itself write and change the class, so
    // it must not run after the row is begun.
    object.evaluateDefaults()
    template = try rowTemplate(for: object)
    return template.pointee.isPlain ? try storePlain(object, template, created) : nil
  }

  /// - Returns: A link to the object, or nil when a default must be evaluated first.
  private func storePlain(
    _ object: ObjectBase, _ template: UnsafePointer<RowTemplate>,
    _ created: Unmanaged<ReadContext>
  ) throws(Failure) -> Value? {
    let id = try object.publish(created, template.pointee.binding) { (values) throws(Failure) in
      let id = try newID(template, values)
      beginRow(template)
      try fillPlain(template, values, object: id)
      try insertRow(template, id)
      return id
    }
    return id.map { .link(classID: template.pointee.classID, objectID: $0) }
  }

  /// Returns the template for the rows of new objects of the object's class. See
  /// ``rowTemplate(for:)``.
  @inline(__always)
  func rowTemplate(
    for object: ObjectBase
  ) throws(Failure) -> UnsafePointer<RowTemplate> {
    guard let info = ClassInfo.registered(object) else {
      return try rowTemplate(for: .passUnretained(object.info.description))
    }
    return try rowTemplate(for: info._withUnsafeGuaranteedRef { $0.descriptionReference })
  }

  /// Returns the id of an object that is about to be stored.
  ///
  /// - Throws: `.duplicatePrimaryKey` when another object has its key.
  @inline(__always)
  func newID(
    _ template: UnsafePointer<RowTemplate>, _ values: UnsafeMutablePointer<_Boxed>
  ) throws(Failure) -> UInt64 {
    let slot = template.pointee.keySlot
    if template.pointee.hasIntegerKey, case .value(.int(let key)) = values[slot].content {
      return try newID(template, integerKey: key)
    }
    return try newObjectID(template, key: slot < 0 ? nil : values[slot].value ?? .null)
  }

  /// Returns the id of an object that is about to be stored under a key; nil for a class without
  /// one. See ``newID(_:_:)``.
  @inline(__always)
  func newID(_ template: UnsafePointer<RowTemplate>, key: Value?) throws(Failure) -> UInt64 {
    if template.pointee.hasIntegerKey, case .int(let key)? = key {
      return try newID(template, integerKey: key)
    }
    return try newObjectID(template, key: key)
  }

  @inline(__always)
  private func newID(
    _ template: UnsafePointer<RowTemplate>, integerKey key: Int64
  ) throws(Failure) -> UInt64 {
    if key == 0, template.pointee.generatesKeys { return try generatedObjectID(template) }
    return try newObjectID(template, integerKey: key)
  }

  /// Fills the plain properties of a new row.
  ///
  /// `key`: the primary key from which the id was made, because another thread may have set another
  /// key since.
  ///
  /// - Throws: `.typeMismatch` or `.missingValue` when a value does not fit.
  func fillPlain(
    _ template: UnsafePointer<RowTemplate>, _ values: UnsafeMutablePointer<_Boxed>,
    object id: UInt64, key: Value? = nil
  ) throws(Failure) {
    var field = template.pointee.firstField
    for _ in 0..<template.pointee.fieldCount {
      if field.pointee.content == .value {
        let pointer = values + field.pointee.slot
        if let key, field.pointee.slot == template.pointee.keySlot {
          try fill(field, key, object: id, template)
        } else if !tryFill(field, pointer) {
          try fill(field, pointer.pointee.value ?? .null, object: id, template)
        }
      }
      field += 1
    }
  }

  /// Fills a property with a value that certainly fits, without counting references.
  ///
  /// - Returns: Whether the property was filled. Any other value is left to the caller.
  @inline(__always)
  private func tryFill(
    _ field: UnsafePointer<RowTemplate.Field>, _ pointer: UnsafeMutablePointer<_Boxed>
  ) -> Bool {
    if field.pointee.isNullAtFirst, case .value(.null) = pointer.pointee.content { return true }
    switch field.pointee.plainType {
    case .int8, .int16, .int32:
      if case .value(.int(let value)) = pointer.pointee.content {
        return tryFill(field, narrow: value)
      }
    case .int64:
      if case .value(.int(let value)) = pointer.pointee.content {
        fill(field, value)
        return true
      }
    case .double:
      if case .value(.double(let value)) = pointer.pointee.content {
        fill(field, value)
        return true
      }
    case .date:
      if case .value(.date(let value)) = pointer.pointee.content {
        fill(field, value)
        return true
      }
    case .bool:
      if case .value(.bool(let value)) = pointer.pointee.content {
        fill(field, value)
        return true
      }
    case .string:
      // Moved out and back: a copy would count references.
      let box = pointer.move()
      let result = tryFill(field, box)
      pointer.initialize(to: consume box)
      return result
    default: break
    }
    return false
  }

  @inline(never)
  private func tryFill(
    _ field: UnsafePointer<RowTemplate.Field>, _ box: borrowing _Boxed
  ) -> Bool {
    switch box.content {
    case .value(.string(let value)): tryFill(field, value)
    default: false
    }
  }
}
