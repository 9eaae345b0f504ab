import VarveCore
import VarveEncoding

/// Plain values: those that are neither links nor mixed.
extension Transaction {
  /// Stores an unmanaged object whose properties are all plain values, and makes it managed.
  ///
  /// - Returns: nil, and nothing was done, for an object of another class, and for one that another thread has added.
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
    // Code of the model, which may itself write, and change the class: not once the row is begun.
    object.evaluateDefaults()
    template = try rowTemplate(for: object)
    return template.pointee.isPlain ? try storePlain(object, template, created) : nil
  }

  /// - Returns: nil when a default is to be evaluated first.
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

  /// How rows of new objects of the object's class are filled; see ``rowTemplate(for:)``.
  @inline(__always)
  func rowTemplate(
    for object: ObjectBase
  ) throws(Failure) -> UnsafePointer<RowTemplate> {
    guard let info = ClassInfo.known(object) else {
      return try rowTemplate(for: .passUnretained(object.info.description))
    }
    return try rowTemplate(for: info._withUnsafeGuaranteedRef { $0.descriptionReference })
  }

  @inline(__always)
  fileprivate func newID(
    _ template: UnsafePointer<RowTemplate>, _ values: UnsafeMutablePointer<_Boxed>
  ) throws(Failure) -> UInt64 {
    let slot = template.pointee.keySlot
    if template.pointee.hasIntegerKey, case .value(.int(let key)) = values[slot].content {
      if key == 0, template.pointee.generatesKeys { return try generatedObjectID(template) }
      return try newObjectID(template, integerKey: key)
    }
    return try newObjectID(template, key: slot < 0 ? nil : values[slot].value ?? .null)
  }

  /// Fills the properties of a new row that are plain values.
  ///
  /// `key`: the primary key that the id was given for, where another thread may have set another one.
  /// - Throws: `.typeMismatch` or `.missingValue` when a value does not fit.
  func fillPlain(
    _ template: UnsafePointer<RowTemplate>, _ values: UnsafeMutablePointer<_Boxed>,
    object id: UInt64, key: Value? = nil
  ) throws(Failure) {
    var field = template.pointee.firstField
    for _ in 0..<template.pointee.fieldCount {
      if field.pointee.content == .value {
        let place = values + field.pointee.slot
        if let key, field.pointee.slot == template.pointee.keySlot {
          try fill(field, key, object: id, template)
        } else if !tryFill(field, place) {
          try fill(field, place.pointee.value ?? .null, object: id, template)
        }
      }
      field += 1
    }
  }

  /// Fills a property with a value that is sure to fit it, without counting references.
  ///
  /// - Returns: false for any other value; then nothing was filled.
  @inline(__always)
  private func tryFill(
    _ field: UnsafePointer<RowTemplate.Field>, _ place: UnsafeMutablePointer<_Boxed>
  ) -> Bool {
    if field.pointee.isNullAtFirst, case .value(.null) = place.pointee.content { return true }
    switch field.pointee.plainType {
    case .int8, .int16, .int32:
      if case .value(.int(let value)) = place.pointee.content {
        return tryFill(field, narrow: value)
      }
    case .int64:
      if case .value(.int(let value)) = place.pointee.content {
        fill(field, value)
        return true
      }
    case .double:
      if case .value(.double(let value)) = place.pointee.content {
        fill(field, value)
        return true
      }
    case .date:
      if case .value(.date(let value)) = place.pointee.content {
        fill(field, value)
        return true
      }
    case .bool:
      if case .value(.bool(let value)) = place.pointee.content {
        fill(field, value)
        return true
      }
    case .string:
      // Taken and put back: a copy would be counted.
      let box = place.move()
      let result = tryFill(field, box)
      place.initialize(to: consume box)
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
