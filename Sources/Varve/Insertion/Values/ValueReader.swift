import Foundation
import VarveCore
import VarveEncoding

/// Fills unmanaged objects from dictionaries, arrays, JSON and other objects.
///
/// Nested objects are filled from a queue, so that deeply nested values do not nest calls.
struct ValueReader {
  /// The store that the object is created for. Objects of other stores are copied. Nil while the
  /// store is not known: all objects are linked.
  private let store: Store?
  /// Whether an object of the store is created. Nested objects that no store manages are copied for
  /// it.
  private let isCreating: Bool
  /// Nested objects that were created, with the values to fill them from.
  private var nested: [(object: ObjectBase, value: Any)] = []
  /// The copies of nested objects, so that cycles end.
  private var copies: [ElementIdentity: ObjectBase] = [:]
  /// Whether the properties of another object are read.
  private var isCopying = false

  private init(for store: Store? = nil, isCreating: Bool = false) {
    self.store = store
    self.isCreating = isCreating
  }

  /// Sets the properties that `value` contains. An error is recorded in the object. Names that the
  /// class does not declare are skipped.
  ///
  /// `store`: the store that the object is created for.
  static func fill(_ object: ObjectBase, from value: Any, for store: Store? = nil) {
    var reader = ValueReader(for: store, isCreating: store != nil)
    do throws(Failure) {
      try reader.read(value, into: object)
      try reader.fillNested()
    } catch {
      object.noteFailure(error)
    }
  }

  /// Sets one property of a managed or an unmanaged object.
  ///
  /// - Throws: `.unknownProperty`, `.typeMismatch`, `.missingValue`, `.invalidInput`. Nothing is
  ///   changed in these cases.
  static func set(_ value: Any, forKey key: String, of object: ObjectBase) throws(Failure) {
    let info = object.info
    guard let slot = info.slot(named: key) else {
      throw .unknownProperty(key, info.name, value: text(of: value))
    }
    var reader = ValueReader(for: object.handle.context?.store)
    let destination = Destination(info.name, info.properties[slot])
    let content = try reader.content(value, destination)
    try reader.fillNested()
    content.put(in: object, info.properties[slot])
  }

  /// Converts a value to an element of a collection.
  ///
  /// - Throws: `.typeMismatch`, `.missingValue`.
  static func element(
    _ value: Any, _ destination: Destination, for store: Store?
  ) throws(Failure) -> _Boxed {
    var reader = ValueReader(for: store)
    let element = try reader.element(value, destination)
    try reader.fillNested()
    return element
  }

  /// Fills the nested objects. An error is recorded in the object concerned, and thrown.
  private mutating func fillNested() throws(Failure) {
    var index = 0
    while index < nested.count {
      let (object, value) = nested[index]
      do throws(Failure) {
        try read(value, into: object)
      } catch {
        object.noteFailure(error)
        throw error
      }
      if let failure = object.notedFailure { throw failure }
      index += 1
    }
  }

  private mutating func read(_ value: Any, into object: ObjectBase) throws(Failure) {
    let info = object.info
    let value = Value.unwrapped(value)
    if let other = Value.instance(value) as? ObjectBase {
      return try copy(other, into: object, info)
    }
    if let dictionary = value as? [String: Any] {
      for (name, part) in dictionary.sorted(by: { $0.key < $1.key }) {
        // Documents of clients may contain additional keys, and documents of other programs contain
        // the linking objects.
        guard let slot = info.slot(named: name), info.properties[slot].originProperty == nil
        else { continue }
        try set(part, info.properties[slot], of: object, info)
      }
      return
    }
    if let array = value as? [Any] {
      let stored = info.properties.filter { $0.originProperty == nil }
      guard array.count <= stored.count else {
        throw Failure(
          .invalidInput, "The array has more values than the class has properties.",
          className: info.name, value: "\(array.count) values, \(stored.count) properties")
      }
      for (part, property) in zip(array, stored) { try set(part, property, of: object, info) }
      return
    }
    throw Failure(
      .invalidInput, "An object is created only from a dictionary, an array or another object.",
      className: info.name, value: "\(type(of: value))")
  }

  private mutating func copy(
    _ other: ObjectBase, into object: ObjectBase, _ info: ClassInfo
  ) throws(Failure) {
    guard type(of: object).isClass(of: other) else {
      throw Failure(
        .typeMismatch,
        "An object is copied only from an object of the same class or of a subclass.",
        className: info.name,
        value: "object of class "
          + (other.info.name == info.name ? String(reflecting: type(of: other)) : other.info.name))
    }
    guard !other.handle.isManaged || other.handle.exists else {
      throw .invalidatedObject(info.name)
    }
    // Links that lead back to the object are replaced with links to its copy.
    if mustCopy(other) { copies[ElementIdentity(object: other)] = object }
    isCopying = true
    defer { isCopying = false }
    for property in info.properties where property.originProperty == nil {
      guard let slot = other.info.slot(named: property.name) else { continue }
      let box = other.info.properties[slot].read(other, slot)
      switch box.content {
      case .collection(let collection):
        try set(collection, property, of: object, info)
      case .object(let linked):
        try set(linked, property, of: object, info)
      case .value, .unset:
        object._$setBoxed(property.slot, box)
      }
    }
  }

  private mutating func set(
    _ part: Any, _ property: PropertyDescriptor, of object: ObjectBase, _ info: ClassInfo
  ) throws(Failure) {
    try content(part, Destination(info.name, property)).put(in: object, property)
  }

  /// The new content of a property.
  private enum Content {
    case single(_Boxed)
    case elements([_Boxed])
    case entries([(key: String, value: _Boxed)])

    func put(in object: ObjectBase, _ property: PropertyDescriptor) {
      if case .single(let box) = self { return object._$setBoxed(property.slot, box) }
      guard case .collection(let collection) = property.read(object, property.slot).content else {
        return
      }
      switch self {
      case .single: break
      case .elements(let elements): collection.replaceContent(elements, [])
      case .entries(let entries): collection.replaceContent([], entries)
      }
    }
  }

  private mutating func content(_ part: Any, _ destination: Destination) throws(Failure) -> Content
  {
    guard !destination.isInverse else {
      throw destination.failure(
        .invalidInput, "Linking objects cannot be set.", ValueReader.text(of: part))
    }
    let part = Value.unwrapped(part)
    switch destination.type.kind.collection {
    case .none: return .single(try element(part, destination))
    case .list, .set:
      if Value.isNull(part) { return .elements([]) }
      guard let parts = ValueReader.sequence(part, destination.type.kind) else {
        throw destination.mismatch(part)
      }
      var elements: [_Boxed] = []
      for part in parts { elements.append(try element(part, destination)) }
      return .elements(elements)
    case .dictionary:
      if Value.isNull(part) { return .entries([]) }
      guard let parts = ValueReader.dictionary(part) else { throw destination.mismatch(part) }
      var entries: [(key: String, value: _Boxed)] = []
      for (key, part) in parts { entries.append((key, try element(part, destination))) }
      return .entries(entries)
    }
  }

  /// Converts a single value or an element.
  private mutating func element(_ part: Any, _ destination: Destination) throws(Failure) -> _Boxed {
    var part = Value.unwrapped(part)
    let kind = destination.type.kind
    if kind.type == .mixed {
      return try mixed(part, destination)._$boxed
    }
    // The values of a dictionary literal may be inferred as `AnyRealmValue`.
    if let value = part as? AnyRealmValue { part = ValueReader.any(value._$boxed) }
    if Value.isNull(part) {
      if destination.isGenerated { return _Boxed(.int(0)) }
      guard kind.isNullable || kind.type == .link && kind.collection == .none else {
        throw destination.failure(
          .missingValue, "Null was given for a value that cannot be null.", "nil")
      }
      return .null
    }
    if let target = destination.type.target { return try link(part, target, destination) }
    guard let value = Value.converting(part, to: kind.type), kind.accepts(value),
      destination.type.isValid?(value) ?? true
    else { throw destination.mismatch(part) }
    return _Boxed(value)
  }

  /// Converts a mixed value with the collections nested in it.
  private mutating func mixed(
    _ part: Any, _ destination: Destination, depth: Int = 0
  ) throws(Failure) -> AnyRealmValue {
    var part = Value.unwrapped(part)
    if let value = AnyRealmValue(any: part) {
      switch value {
      case .object(let object) where mustCopy(object):
        let copy = copied(object) { object.madeAlike() }
        return AnyRealmValue._$unboxed(_Boxed(.object(copy)), nil) ?? .none
      case .list where isForSet(destination), .dictionary where isForSet(destination):
        throw destination.mismatch(part)
      case .list(let list) where mustCopyContent(of: list.realm): part = Array(list)
      case .dictionary(let map) where mustCopyContent(of: map.realm):
        part = map
      default: return value
      }
    }
    guard !isForSet(destination) else { throw destination.mismatch(part) }
    guard depth < NestedContent.maximumDepth else {
      throw NestedContent.tooDeep(destination.className, destination.propertyName)
    }
    if let parts = ValueReader.sequence(part, destination.type.kind) {
      let list = List<AnyRealmValue>()
      for part in parts { list.append(try mixed(part, destination, depth: depth + 1)) }
      return .list(list)
    }
    guard let parts = ValueReader.dictionary(part) else { throw destination.mismatch(part) }
    let map = Map<String, AnyRealmValue>()
    map.setAll(
      try parts.map { (key, part) throws(Failure) in
        (key, try mixed(part, destination, depth: depth + 1))
      }, replacing: false)
    return .dictionary(map)
  }

  /// Whether mixed values cannot contain lists and dictionaries, as in a set.
  private func isForSet(_ destination: Destination) -> Bool {
    destination.type.kind.collection == .set
  }

  private mutating func link(
    _ part: Any, _ target: ObjectBase.Type, _ destination: Destination
  ) throws(Failure) -> _Boxed {
    if let object = Value.instance(part) as? ObjectBase {
      guard destination.type.isTarget(object) else { throw destination.mismatch(part) }
      guard mustCopy(object) else { return _Boxed(.object(object)) }
      return _Boxed(.object(copied(object) { destination.type.makeTarget(target) }))
    }
    guard part is [String: Any] || part is [Any] else { throw destination.mismatch(part) }
    return _Boxed(.object(makeNested(destination.type.makeTarget(target), from: part)))
  }

  /// Returns the copy of an object, which is created at its first use.
  private mutating func copied(_ object: ObjectBase, _ make: () -> ObjectBase) -> ObjectBase {
    let identity = ElementIdentity(object: object)
    if let copy = copies[identity] { return copy }
    let copy = makeNested(make(), from: object)
    copies[identity] = copy
    return copy
  }

  /// Whether an object cannot be linked and must be copied: it is embedded in another object,
  /// belongs to another store, or is unmanaged while an object of a store is created.
  private func mustCopy(_ object: ObjectBase) -> Bool {
    let isManaged = object.handle.isManaged
    if object.info.description.isEmbedded, isManaged || isCopying { return true }
    return isManaged ? store != nil && object.handle.context?.store !== store : isCreating
  }

  /// Whether the objects in a collection must be copied. See ``mustCopy(_:)``.
  private func mustCopyContent(of realm: Realm?) -> Bool {
    guard let realm else { return isCreating }
    return store != nil && realm.store !== store
  }

  private mutating func makeNested(_ object: ObjectBase, from value: Any) -> ObjectBase {
    object.markPartial()
    nested.append((object, value))
    return object
  }

  /// Returns the text of a rejected value, for error messages. Values that may be large or deeply
  /// nested are described by their kind.
  static func text(of part: Any) -> String {
    let part = Value.unwrapped(part)
    if Value.instance(part) is ObjectBase { return "object" }
    return switch part {
    case let text as String: text
    case let data as Data: "\(data.count) bytes"
    case let date as Date: date.text
    case let collection as any Collection: "\(collection.count) elements"
    default: "\(part)"
    }
  }
}

extension ObjectBase {
  /// Whether an object is an instance of this class or of a subclass.
  fileprivate class func isClass(of object: ObjectBase) -> Bool { object is Self }
}
