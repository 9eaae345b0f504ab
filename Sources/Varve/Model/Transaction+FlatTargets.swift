import VarveCore
import VarveEncoding

/// Objects that are stored before one that links to them, the short way.
///
/// What is stored is managed, and void for ever if the write fails. So before the first of them is stored, all that may
/// be refused is looked for, in the object that links to them first of all: it would take them with it.
extension Transaction {
  /// Looks at the unmanaged objects that an object links to, and copies what its collections hold.
  ///
  /// - Returns: those that are to be stored before it; nil when the object has to be stored the long way, which tells
  ///   what is wrong with it or with one of them. One may come twice.
  func flatTargets(of addition: inout FlatAddition) throws(Failure) -> [FlatAddition]? {
    // What costs least first: for an object that is stored the long way all is copied once more.
    var targets: [FlatAddition] = []
    guard try isAppended(addition.linkTargets, to: &targets, before: addition.plan),
      addition.copyContents(ofLinks: true),
      try isAppended(addition.elementTargets, to: &targets, before: addition.plan)
    else { return nil }
    for place in targets.indices where !targets[place].contents.isEmpty {
      guard targets[place].copyContents(ofLinks: true), targets[place].copyContents(ofLinks: false)
      else { return nil }
    }
    guard addition.copyContents(ofLinks: false) else { return nil }
    if targets.isEmpty { return [] }
    return try areFine(addition, targets) ? targets : nil
  }

  /// Appends objects, unless one has to be stored the long way; whether that is so.
  ///
  /// `plan`: of the object that links to them. Of its class only objects with integer keys that are given are stored
  ///   before it: others come in the order in which they were added.
  private func isAppended(
    _ objects: [ObjectBase], to targets: inout [FlatAddition],
    before plan: UnsafePointer<InsertionPlan>
  ) throws(Failure) -> Bool {
    let hasGivenKeys = plan.pointee.hasIntegerKey && !plan.pointee.generatesKeys
    for object in objects {
      guard ClassInfo.known(object) != nil, !object.info.description.isEmbedded,
        hasGivenKeys || object.info.description !== plan.pointee.description,
        let plan = try self.plan(for: object), let target = FlatAddition(object, plan),
        target.isAlone
      else { return false }
      targets.append(target)
    }
    return true
  }

  /// Whether nothing is found that an object, or one that it links to, would be refused for.
  private func areFine(
    _ addition: FlatAddition, _ targets: [FlatAddition]
  ) throws(Failure) -> Bool {
    guard try isFine(addition) else { return false }
    for target in targets where target.object.notedFailure != nil { return false }
    // Those without links and collections are stored one after another the long way, too.
    if targets.allSatisfy(\.plan.pointee.isFlat) { return true }
    var seen: Set<ObjectIdentifier> = []
    var keys: Set<FlatKey> = []
    if let key = FlatKey(addition) { keys.insert(key) }
    for target in targets where seen.insert(ObjectIdentifier(target.object)).inserted {
      guard try isFine(target) else { return false }
      if let key = FlatKey(target), !keys.insert(key).inserted { return false }
    }
    return true
  }

  private func isFine(_ addition: FlatAddition) throws(Failure) -> Bool {
    let (object, plan) = (addition.object, addition.plan)
    guard object.notedFailure == nil else { return false }
    object.evaluateDefaults()
    guard try isKeyFree(object, plan), try linksFit(object, plan) else { return false }
    return try contentsFit(addition.contents, plan)
  }

  /// Whether no object has the primary key, and none can have the values that others must not have.
  private func isKeyFree(
    _ object: ObjectBase, _ plan: UnsafePointer<InsertionPlan>
  ) throws(Failure) -> Bool {
    guard let schema = plan.pointee.binding.takeUnretainedValue().schema,
      !schema.indexes.contains(where: { $0.kind == .unique })
    else { return false }
    guard plan.pointee.keySlot >= 0, let property = schema.primaryKey else { return true }
    let key = object.unmanagedValue(plan.pointee.keySlot)
    if plan.pointee.generatesKeys, key == .int(0) { return true }
    guard property.kind.accepts(key) else { return false }
    return try self.object(schema, primaryKey: key) == nil
  }

  /// Has keys that are generated for some of the objects be greater than those that others bring.
  func reserveGivenKeys(_ additions: [FlatAddition]) throws(Failure) {
    for addition in additions where addition.plan.pointee.generatesKeys {
      guard case .int(let key)? = addition.object.current(addition.plan.pointee.keySlot)?.value
      else { continue }
      try reserveKey(key, addition.plan.pointee.schema.takeUnretainedValue())
    }
  }

  private func linksFit(
    _ object: ObjectBase, _ plan: UnsafePointer<InsertionPlan>
  ) throws(Failure) -> Bool {
    for place in 0..<plan.pointee.fieldCount {
      let field = plan.pointee.firstField + place
      guard field.pointee.content == .link, let target = object.current(field.pointee.slot)?.object
      else { continue }
      if try !mayLink(to: target, field) { return false }
    }
    return true
  }

  private func contentsFit(
    _ contents: [ObjectAdder.Content], _ plan: UnsafePointer<InsertionPlan>
  ) throws(Failure) -> Bool {
    var start = 0
    for place in 0..<plan.pointee.fieldCount {
      let field = plan.pointee.firstField + place
      let slot = field.pointee.slot
      guard let content = contents.content(of: slot, after: &start) else { continue }
      guard let property = plan.pointee.binding.takeUnretainedValue().properties[slot],
        content.fits(property.kind)
      else { return false }
      guard field.pointee.linkedClassID != 0 else { continue }
      for element in content.elements {
        if let target = element.object, try !mayLink(to: target, field) { return false }
      }
      for (_, element) in content.entries {
        if let target = element.object, try !mayLink(to: target, field) { return false }
      }
    }
    return true
  }

  /// Whether a property may link to an object, once that is stored.
  private func mayLink(
    to target: ObjectBase, _ field: UnsafePointer<FlatField>
  ) throws(Failure) -> Bool {
    if target.cell.isTied { return canLink(to: target.cell, field) }
    return try plan(for: target)?.pointee.classID == field.pointee.linkedClassID
  }
}

/// The primary key of an object that is to be stored.
private struct FlatKey: Hashable {
  let classID: UInt32
  let key: Value

  /// Nil for an object of a class without a primary key, and for one whose key is to be generated.
  init?(_ addition: FlatAddition) {
    guard addition.plan.pointee.keySlot >= 0 else { return nil }
    classID = addition.plan.pointee.classID
    key = addition.object.unmanagedValue(addition.plan.pointee.keySlot)
    if addition.plan.pointee.generatesKeys, key == .int(0) { return nil }
  }
}
