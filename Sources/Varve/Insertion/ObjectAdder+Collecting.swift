import VarveCore
import VarveEncoding

/// Stage 1: collects the objects that can be reached from an object.
extension ObjectAdder {
  /// Collects an object and the objects reachable from it by links. An object comes before the
  /// objects that it links to.
  mutating func collectAll(from root: ObjectBase) throws(Failure) {
    var waiting: [ObjectBase] = []
    try collect(root, &waiting)
    guard !waiting.isEmpty else { return }
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
    var position = 0
    while position < waiting.count {
      let object = waiting[position]
      position += 1
      guard !object.handle.isManaged, seen.insert(ObjectIdentifier(object)).inserted else {
        continue
      }
      try collect(object, &waiting)
    }
  }

  /// Collects one object, and appends the unmanaged objects that it links to.
  private mutating func collect(
    _ object: ObjectBase, _ waiting: inout [ObjectBase]
  ) throws(Failure) {
    let (binding, schema) = try bound(object)
    var updates: UnmanagedValues?
    var existingID: UInt64?
    if policy != .error {
      try object.beginStoring()
      let values = object.unmanagedValues()
      if let failure = values.failure { throw failure }
      // An update leaves properties unchanged that an object created from a value lacks.
      existingID = try existing(object, schema, Self.key(of: object, values))
      updates = try values.copyingNested(object.info)
    }
    if existingID == nil {
      object.evaluateDefaults()
      // The values that the code of a default has set are read with the other values.
      try object.beginStoring()
    }
    var addition = Addition(
      object: object, binding: binding, schema: schema, updates: updates, id: existingID ?? 0,
      isInserted: existingID == nil)
    for (slot, box) in object.boxesToStore { try addition.append(box, slot) }
    if policy == .modified { try findPresent(addition) }
    addition.appendTargets(to: &waiting)
    additions.append(addition)
  }

  /// Returns the primary key; nil for a class without one, and for a key that is still to be
  /// generated.
  static func key(of object: ObjectBase, _ values: UnmanagedValues? = nil) -> Value? {
    let model = object.info.description
    guard let slot = model.primaryKeySlot else { return nil }
    let value = values?.boxes[slot].value ?? object.unmanagedBox(slot).value ?? .null
    return model.generatesKeys && value == .int(0) ? nil : value
  }
}

extension ObjectAdder.Addition {
  /// Copies the value of a property. Not under the object's lock, because converting an element to
  /// its stored form may run code of the model.
  fileprivate mutating func append(_ box: _Boxed, _ slot: Int) throws(Failure) {
    let property = object.info.description.properties[slot]
    guard case .collection(let collection) = box.content, property.kind.collection != .none else {
      let box = try Failure.putting(in: property.alias, of: object.info.name) {
        () throws(Failure) in try box.copied()
      }
      return boxes.append((slot, box))
    }
    var content = ObjectAdder.Content(collection, slot)
    if property.kind.type == .mixed {
      try Failure.putting(in: property.alias, of: object.info.name) { () throws(Failure) in
        try content.copyNested()
      }
    }
    contents.append(content)
  }

  /// Appends the unmanaged objects that the object links to.
  fileprivate func appendTargets(to objects: inout [ObjectBase]) {
    for (_, box) in boxes { box.appendUnmanaged(to: &objects) }
    let properties = object.info.description.properties
    for content in contents where properties[content.slot].kind.type.mayLink {
      for box in content.elements { box.appendUnmanaged(to: &objects) }
      for (_, box) in content.entries { box.appendUnmanaged(to: &objects) }
    }
  }
}

extension _Boxed {
  /// Appends the object, or the objects in the collections of a mixed value, unless they are
  /// managed.
  func appendUnmanaged(to objects: inout [ObjectBase]) {
    switch content {
    case .object(let object): if !object.handle.isManaged { objects.append(object) }
    case .collection(let collection):
      for (_, box) in collection.unmanagedEntries { box.appendUnmanaged(to: &objects) }
      for box in collection.unmanagedElements { box.appendUnmanaged(to: &objects) }
    case .value, .unset: break
    }
  }
}
