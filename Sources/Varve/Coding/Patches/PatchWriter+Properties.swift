import VarveCore
import VarveEncoding

/// Sets properties, elements and entries.
extension PatchWriter {
  /// The properties that are set together.
  enum Part {
    case all
    /// Those in unique indexes.
    case unique
    /// All but ``unique``.
    case others
  }

  /// Sets the properties that a document contains.
  func set(
    _ document: PatchDocument, of object: ObjectBase, _ part: Part = .all
  ) throws(Failure) {
    let info = object.info
    for (slot, content) in document.properties {
      let property = info.properties[slot]
      guard !property.isPrimaryKey,
        part == .all || info.hasUniqueValues(of: property) == (part == .unique)
      else { continue }
      try set(content, property, of: object)
    }
  }

  private func set(
    _ content: PatchContent, _ property: PropertyDescriptor, of object: ObjectBase
  ) throws(Failure) {
    let slot = property.slot
    guard property.type.kind.collection == .none else {
      return try setCollection(content, property, of: object)
    }
    switch content {
    case .value(let value):
      // Read in the stored form, which may be a value that the property's type does not know.
      let stored =
        object.handle.isManaged ? object.handle.value(slot) : object.unmanagedBox(slot).value
      if stored != value { object._$setBoxed(slot, _Boxed(value)) }
    case .document(let document) where document.isMerged:
      if let current = property.read(object, slot).object {
        try set(document, of: current)
      } else {
        object._$setBoxed(slot, try box(content, property))
      }
    case .entries(let entries):
      if let map = property.map(of: object) {
        try merge(entries, into: map, property)
      } else {
        object._$setBoxed(slot, try box(content, property))
      }
    case .reference, .document, .elements:
      let box = try box(content, property)
      if !property.read(object, slot).isSame(as: box) { object._$setBoxed(slot, box) }
    case .nothing: break
    }
  }

  private func setCollection(
    _ content: PatchContent, _ property: PropertyDescriptor, of object: ObjectBase
  ) throws(Failure) {
    guard
      case .collection(let collection) = property.read(object, property.slot).content
    else { return }
    switch content {
    case .elements(let elements):
      var boxes: [_Boxed] = []
      for element in elements { boxes.append(try box(element, property, inList: true)) }
      let isSame =
        property.canCompare && collection.count == boxes.count
        && zip(collection.unmanagedElements, boxes).allSatisfy { $0.isSame(as: $1) }
      if !isSame { collection.replaceContent(boxes, []) }
    case .entries(let entries):
      if let map = collection as? any PatchedMap { try merge(entries, into: map, property) }
    case .nothing: if collection.count > 0 { collection.replaceContent([], []) }
    case .value, .reference, .document: break
    }
  }

  /// Merges entries into a map: null removes an entry.
  private func merge(
    _ entries: [(key: String, value: PatchContent?)], into map: any PatchedMap,
    _ property: PropertyDescriptor
  ) throws(Failure) {
    for (key, content) in entries {
      guard let content, !content.isNull else {
        map.removeEntry(forKey: key)
        continue
      }
      let current = map.box(forKey: key)
      if case .document(let document) = content, document.isMerged, let object = current?.object {
        try set(document, of: object)
      } else if case .entries(let inner) = content, case .collection(let map)? = current?.content,
        let map = map as? any PatchedMap
      {
        try merge(inner, into: map, property)
      } else {
        let box = try box(content, property)
        if let current, property.canCompare, current.isSame(as: box) { continue }
        map.setEntry(box, forKey: key)
      }
    }
  }

  /// Returns a new value, element or embedded object.
  ///
  /// - Parameter inList: Whether the content is part of a list, which the document replaces as a
  ///   whole. A dictionary in it keeps its nulls; those of any other dictionary remove entries, also
  ///   of a dictionary that is new (RFC 7386).
  private func box(
    _ content: PatchContent, _ property: PropertyDescriptor, inList: Bool = false
  ) throws(Failure) -> _Boxed {
    switch content {
    case .value(let value): return _Boxed(value)
    case .nothing: return .null
    case .reference(let type, let key): return _Boxed(.object(object(type, key)))
    case .document(let document) where document.isEmbedded:
      let object = document.type.init()
      try set(document, of: object)
      return _Boxed(.object(object))
    case .document(let document): return _Boxed(.object(try object(of: document)))
    case .elements(let elements):
      let list = List<AnyRealmValue>()
      for element in elements { list.append(try mixed(element, property, inList: true)) }
      return list._$boxed
    case .entries(let entries):
      let map = Map<String, AnyRealmValue>()
      for (key, content) in entries {
        guard let content, inList || !content.isNull else { continue }
        map[key] = try mixed(content, property, inList: inList) as AnyRealmValue?
      }
      return map._$boxed
    }
  }

  private func mixed(
    _ content: PatchContent, _ property: PropertyDescriptor, inList: Bool
  ) throws(Failure) -> AnyRealmValue {
    AnyRealmValue._$unboxed(try box(content, property, inList: inList), nil) ?? .none
  }

  /// Returns the object that a document refers to. While an unmanaged object is changed, the object
  /// has nothing but the key.
  private func object(_ type: ObjectBase.Type, _ key: Value) -> ObjectBase {
    if let index = plan.index(of: type, key) { return objects[index] }
    if let object = realm?.find(type, key) { return object }
    let object = type.init()
    object.setOnly(key)
    return object
  }
}

extension ClassInfo {
  /// Whether a unique index contains a property, which has plain values: a mixed value may be a link
  /// to an object that is still to be added.
  fileprivate func hasUniqueValues(of property: PropertyDescriptor) -> Bool {
    property.type.kind.type != .mixed
      && description.indexes.contains {
        $0.kind == .unique && $0.propertyNames.contains(property.columnName)
      }
  }
}

extension PropertyDescriptor {
  /// Whether elements read as they are stored. A value that an enumeration does not know reads as
  /// another one.
  fileprivate var canCompare: Bool { type.isValid == nil }

  /// Returns the map of an object's property, or the dictionary of its mixed value; otherwise nil.
  func map(of object: ObjectBase) -> (any PatchedMap)? {
    guard type.kind.collection == .dictionary || type.kind.type == .mixed,
      case .collection(let collection) = read(object, slot).content
    else { return nil }
    return collection as? any PatchedMap
  }

  /// Removes the elements of a collection.
  func removeAll(of object: ObjectBase) {
    guard case .collection(let collection) = read(object, slot).content else { return }
    collection.replaceContent([], [])
  }
}

extension _Boxed {
  /// Whether two boxes contain equal values or the same object.
  fileprivate func isSame(as other: _Boxed) -> Bool {
    switch (content, other.content) {
    case (.value(let mine), .value(let other)): mine == other
    case (.object(let mine), .object(let other)):
      ElementIdentity(object: mine) == ElementIdentity(object: other)
    default: false
    }
  }
}
