import VarveCore
import VarveEncoding

/// What became of an object that was to be stored the short way in an operation of its own.
enum FlatAttempt {
  case isNotTried
  /// It was stored, or the operation failed.
  case isOver
  case needsLongWay
}

/// Objects that need no others to be stored, or only such that need none: the short way.
extension Transaction {
  /// Stores an object in an operation of its own, as ``addedFlat(_:_:)``.
  func addFlat(_ object: ObjectBase, _ context: ReadContext) -> FlatAttempt {
    guard !object.cell.isTied, beginOperation() else { return .isNotTried }
    do throws(Failure) {
      return try addedFlat(object, context) == nil ? .needsLongWay : .isOver
    } catch {
      fail(error)
      return .isOver
    }
  }

  /// Stores an unmanaged object, and makes it managed. Objects that it links to are stored before it.
  ///
  /// - Returns: the class's id; nil when the object has to be stored the long way. Then nothing was done, unless a
  ///   default of the model, or another thread, changed objects after they were looked at: some that it links to may
  ///   have been stored, which the long way takes as they are.
  func addedFlat(_ object: ObjectBase, _ context: ReadContext) throws(Failure) -> UInt32? {
    guard let plan = try plan(for: object) else { return nil }
    if plan.pointee.isFlat { return try addedFlat(object, [], context) }
    guard var addition = FlatAddition(object, plan),
      let targets = try flatTargets(of: &addition)
    else { return nil }
    if !targets.isEmpty { try reserveGivenKeys(targets + [addition]) }
    for target in targets where !target.object.cell.isTied {
      guard try addedFlat(target, context) != nil else { return nil }
    }
    return try addedFlat(addition, context)
  }

  private func addedFlat(
    _ addition: FlatAddition, _ context: ReadContext
  ) throws(Failure) -> UInt32? {
    let (object, contents) = (addition.object, addition.contents)
    guard let classID = try addedFlat(object, contents, context) else { return nil }
    for storeAgain in object.publish(contents) { storeAgain() }
    return classID
  }

  private func addedFlat(
    _ object: ObjectBase, _ contents: [ObjectAdder.Content], _ context: ReadContext
  ) throws(Failure) -> UInt32? {
    guard let plan = try plan(for: object) else { return nil }
    switch try storeFlat(object, plan, contents, context, isSettled: false) {
    case .isStored: return plan.pointee.classID
    case .needsMore: return nil
    case .lacksValues: break
    }
    // Code of the model, which may itself write: not once the row is begun.
    object.evaluateDefaults()
    guard let plan = try self.plan(for: object) else { return nil }
    let result = try storeFlat(object, plan, contents, context, isSettled: true)
    return result == .isStored ? plan.pointee.classID : nil
  }

  @inline(__always)
  private func storeFlat(
    _ object: ObjectBase, _ plan: UnsafePointer<InsertionPlan>,
    _ contents: [ObjectAdder.Content], _ context: ReadContext, isSettled: Bool
  ) throws(Failure) -> ObjectBase.FlatStorage {
    if let kept = keptContext(like: context) {
      return try storeFlat(object, plan, contents, kept, isSettled)
    }
    guard let view = context.view else { return .needsMore }
    let created = contextForCreated(in: view)
    defer { withExtendedLifetime(created) {} }
    return try storeFlat(object, plan, contents, .passUnretained(created), isSettled)
  }

  private func storeFlat(
    _ object: ObjectBase, _ plan: UnsafePointer<InsertionPlan>,
    _ contents: [ObjectAdder.Content], _ created: Unmanaged<ReadContext>, _ isSettled: Bool
  ) throws(Failure) -> ObjectBase.FlatStorage {
    try object.storeFlat(created, plan.pointee.binding, isSettled: isSettled) {
      (values) throws(Failure) in
      if !plan.pointee.isFlat, !needsNoOthers(plan, values, contents) { return nil }
      let id = try newID(plan, values)
      beginRow(plan)
      var start = 0
      var field = plan.pointee.firstField
      for _ in 0..<plan.pointee.fieldCount {
        switch field.pointee.content {
        case .value, .link:
          let place = values + field.pointee.slot
          if !isFilled(field, place) { try fill(field, place, object: id, plan) }
        case .collection:
          if let content = contents.content(of: field.pointee.slot, after: &start) {
            try fill(field, content, object: id, plan)
          }
        case .lateCollection: break
        }
        field += 1
      }
      try insertRow(plan, id)
      return id
    }
  }

  /// Whether every link is to a managed object, and every collection that was used is one of those whose contents were
  /// taken.
  private func needsNoOthers(
    _ plan: UnsafePointer<InsertionPlan>, _ values: UnsafeMutablePointer<_Boxed>,
    _ contents: [ObjectAdder.Content]
  ) -> Bool {
    var start = 0
    var field = plan.pointee.firstField
    for _ in 0..<plan.pointee.fieldCount {
      let place = values + field.pointee.slot
      switch (field.pointee.content, place.pointee.content) {
      case (.value, _), (.collection, .unset), (.lateCollection, .unset): break
      case (.link, .value(.null)): break
      case (.link, .object(let target)):
        guard canLink(to: target.cell, field) else { return false }
      case (.link, _): return false
      case (.collection, .collection(let handle)):
        guard let content = contents.content(of: field.pointee.slot, after: &start),
          content.handle === handle, canLink(to: content, field)
        else { return false }
      case (.collection, _), (.lateCollection, _): return false
      }
      field += 1
    }
    return true
  }

  private func canLink(
    to content: ObjectAdder.Content, _ field: UnsafePointer<FlatField>
  ) -> Bool {
    guard field.pointee.linkedClassID != 0 else { return true }
    for element in content.elements {
      if let target = element.object, !canLink(to: target.cell, field) { return false }
    }
    for (_, element) in content.entries {
      if let target = element.object, !canLink(to: target.cell, field) { return false }
    }
    return true
  }

  /// Stores the content of a collection that links to managed objects at most.
  private func fill(
    _ field: UnsafePointer<FlatField>, _ content: ObjectAdder.Content, object id: UInt64,
    _ plan: UnsafePointer<InsertionPlan>
  ) throws(Failure) {
    try fill(field, content, object: id, plan) { (box) throws(Failure) in
      box.object.map {
        .link(classID: field.pointee.linkedClassID, objectID: $0.cell.id)
      }
    }
  }

  /// Fills a property with a value that is sure to fit it, without counting references; whether that is so.
  @inline(__always)
  private func isFilled(
    _ field: UnsafePointer<FlatField>, _ place: UnsafeMutablePointer<_Boxed>
  ) -> Bool {
    if field.pointee.isNullAtFirst, case .value(.null) = place.pointee.content { return true }
    switch field.pointee.plainType {
    case .int8, .int16, .int32:
      if case .value(.int(let value)) = place.pointee.content {
        return isFilled(field, narrow: value)
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
      let result = isFilled(field, box)
      place.initialize(to: consume box)
      return result
    default: break
    }
    return false
  }

  @inline(never)
  private func isFilled(_ field: UnsafePointer<FlatField>, _ box: borrowing _Boxed) -> Bool {
    switch box.content {
    case .value(.string(let value)): fill(field, value)
    default: false
    }
  }

  private func fill(
    _ field: UnsafePointer<FlatField>, _ place: UnsafeMutablePointer<_Boxed>, object id: UInt64,
    _ plan: UnsafePointer<InsertionPlan>
  ) throws(Failure) {
    var value = place.pointee.value ?? Value.null
    if let target = place.pointee.object {
      value = .link(classID: field.pointee.linkedClassID, objectID: target.cell.id)
    }
    try fill(field, value, object: id, plan)
  }

  @inline(__always)
  private func newID(
    _ plan: UnsafePointer<InsertionPlan>, _ values: UnsafeMutablePointer<_Boxed>
  ) throws(Failure) -> UInt64 {
    let slot = plan.pointee.keySlot
    if plan.pointee.hasIntegerKey, case .value(.int(let key)) = values[slot].content {
      if key == 0, plan.pointee.generatesKeys { return try generatedObjectID(plan) }
      return try newObjectID(plan, integerKey: key)
    }
    return try newObjectID(plan, key: slot < 0 ? nil : values[slot].value ?? .null)
  }

  /// How new objects of the object's class are stored; see ``insertionPlan(for:)``.
  @inline(__always)
  func plan(
    for object: ObjectBase
  ) throws(Failure) -> UnsafePointer<InsertionPlan>? {
    guard let info = ClassInfo.known(object) else {
      return try insertionPlan(for: .passUnretained(object.info.description))
    }
    return try insertionPlan(for: info._withUnsafeGuaranteedRef { $0.descriptionReference })
  }
}
