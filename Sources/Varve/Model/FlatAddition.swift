import VarveCore
import VarveEncoding

/// An object that may be stored the short way, with copies of what its collections hold.
struct FlatAddition {
  let object: ObjectBase
  let plan: UnsafePointer<InsertionPlan>
  /// In the order of the fields.
  private(set) var contents: [ObjectAdder.Content]

  /// How many elements all collections of an object may have: other threads poll for the object's lock meanwhile.
  private static let maximumElements = 256

  /// Asks what costs little, and copies nothing as yet.
  ///
  /// - Returns: nil when the object has to be stored the long way: a collection is of a kind that is stored after the
  ///   row, or there are too many elements.
  init?(_ object: ObjectBase, _ plan: UnsafePointer<InsertionPlan>) {
    self.object = object
    self.plan = plan
    contents = []
    if plan.pointee.isFlat { return }
    var count = 0
    for place in 0..<plan.pointee.fieldCount {
      let field = plan.pointee.firstField + place
      switch field.pointee.content {
      case .value, .link: continue
      case .collection, .lateCollection: break
      }
      let slot = field.pointee.slot
      guard case .collection(let handle)? = object.current(slot)?.content else { continue }
      if field.pointee.content == .lateCollection { return nil }
      count += handle.unmanagedCount
      if count > Self.maximumElements { return nil }
      contents.append(ObjectAdder.Content(uncopied: handle, slot))
    }
  }

  /// Copies what the collections hold, of links or of all else. Outside of the object's lock, and before the row is
  /// begun: how an element is stored may be code of the model.
  ///
  /// - Returns: false when the object has to be stored the long way.
  mutating func copyContents(ofLinks: Bool) -> Bool {
    for place in contents.indices where isOfLinks(contents[place]) == ofLinks {
      contents[place].copy()
      if !ofLinks, contents[place].holdsLarge { return false }
    }
    // Another thread may have added some since they were counted.
    return contents.reduce(0) { $0 + $1.count } <= Self.maximumElements
  }

  private func isOfLinks(_ content: ObjectAdder.Content) -> Bool {
    plan.pointee.description.properties[content.slot].kind.type == .link
  }

  /// Whether the object links to managed objects at most, and by no collection: those are not looked into.
  var isAlone: Bool {
    if plan.pointee.isFlat { return true }
    return linkTargets.isEmpty
      && !contents.contains { isOfLinks($0) && $0.handle.unmanagedCount != 0 }
  }

  /// The unmanaged objects that properties of the object link to which are one link.
  var linkTargets: [ObjectBase] {
    var targets: [ObjectBase] = []
    for place in 0..<plan.pointee.fieldCount {
      let field = plan.pointee.firstField + place
      guard field.pointee.content == .link else { continue }
      object.current(field.pointee.slot)?.appendUnmanaged(to: &targets)
    }
    return targets
  }

  /// The unmanaged objects in the collections of links, which have been copied, each once.
  var elementTargets: [ObjectBase] {
    var targets: [ObjectBase] = []
    for content in contents where isOfLinks(content) {
      for element in content.elements { element.appendUnmanaged(to: &targets) }
      for (_, element) in content.entries { element.appendUnmanaged(to: &targets) }
    }
    guard targets.count > 1 else { return targets }
    var seen: Set<ObjectIdentifier> = []
    return targets.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}

extension _Boxed {
  fileprivate func appendUnmanaged(to objects: inout [ObjectBase]) {
    if let object, !object.cell.isTied { objects.append(object) }
  }
}
