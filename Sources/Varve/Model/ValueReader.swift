import Foundation
import VarveCore
import VarveEncoding

/// Fills unmanaged objects from dictionaries, arrays, JSON and other objects.
///
/// Nested objects wait in a queue until it is their turn, so that values nested to any depth do not nest
/// calls.
struct ValueReader {
  /// Nested objects that were made, with what they are to be filled from.
  private var nested: [(object: ObjectBase, value: Any)] = []

  /// Sets the properties that `value` gives; what does not fit is noted in the object.
  static func fill(_ object: ObjectBase, from value: Any) {
    var reader = ValueReader()
    var current = object
    do throws(Failure) {
      try reader.read(value, into: object)
      var place = 0
      while place < reader.nested.count {
        current = reader.nested[place].object
        try reader.read(reader.nested[place].value, into: current)
        if let failure = current.notedFailure { throw failure }
        place += 1
      }
    } catch {
      current.noteFailure(error)
      object.noteFailure(error)
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
        guard let slot = info.slot(named: name) else {
          throw Failure(
            .unknownProperty, "The class has no such property.", className: info.name,
            propertyName: name, value: ValueReader.text(of: part))
        }
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
      .invalidInput, "An object is made from a dictionary, an array or another object.",
      className: info.name, value: "\(type(of: value))")
  }

  private mutating func copy(
    _ other: ObjectBase, into object: ObjectBase, _ info: ClassInfo
  ) throws(Failure) {
    guard type(of: object).isClass(of: other) else {
      throw Failure(
        .typeMismatch,
        "An object is made from one of the same class or of a class derived from it.",
        className: info.name,
        value: "object of class "
          + (other.info.name == info.name ? String(reflecting: type(of: other)) : other.info.name))
    }
    guard !other.cell.isTied || other.cell.exists else {
      throw Failure(
        .invalidatedObject, "The object has been deleted or invalidated.", className: info.name)
    }
    for property in info.properties where property.originProperty == nil {
      guard let slot = other.info.slot(named: property.name) else { continue }
      let box = other.info.properties[slot].read(other, slot)
      if case .collection(let handle) = box.content {
        try set(ValueReader.plain(handle), property, of: object, info)
      } else {
        object._$setBoxed(property.slot, box)
      }
    }
  }

  /// The content of a collection as arrays and dictionaries.
  private static func plain(_ handle: any _CollectionHandle) -> Any {
    if handle.isDictionary {
      return Dictionary(
        handle.unmanagedEntries.map { ($0.key, any($0.value)) }, uniquingKeysWith: { $1 })
    }
    return handle.unmanagedElements.map(any)
  }

  private static func any(_ box: _Boxed) -> Any {
    if let object = box.object { return object }
    return box.value?.any ?? NSNull()
  }

  private mutating func set(
    _ part: Any, _ property: PropertyDescriptor, of object: ObjectBase, _ info: ClassInfo
  ) throws(Failure) {
    guard property.originProperty == nil else {
      throw Failure(
        .invalidInput, "Linking objects cannot be set.", className: info.name,
        propertyName: property.name)
    }
    let part = Value.unwrapped(part)
    let place = Place(className: info.name, property: property)
    switch property.type.kind.collection {
    case .none:
      object._$setBoxed(property.slot, try element(part, place))
    case .list, .set:
      guard case .collection(let handle) = property.read(object, property.slot).content else {
        return
      }
      if Value.isNull(part) { return handle.replaceContent([], []) }
      guard let parts = ValueReader.sequence(part, property) else { throw place.mismatch(part) }
      var elements: [_Boxed] = []
      for part in parts { elements.append(try element(part, place)) }
      handle.replaceContent(elements, [])
    case .dictionary:
      guard case .collection(let handle) = property.read(object, property.slot).content else {
        return
      }
      if Value.isNull(part) { return handle.replaceContent([], []) }
      guard let parts = part as? [String: Any] else { throw place.mismatch(part) }
      var entries: [(key: String, value: _Boxed)] = []
      for (key, part) in parts { entries.append((key, try element(part, place))) }
      handle.replaceContent([], entries)
    }
  }

  private static func sequence(_ part: Any, _ property: PropertyDescriptor) -> [Any]? {
    if let array = part as? [Any] { return array }
    // Only for sets: its elements have no order.
    if property.type.kind.collection == .set, let set = part as? Set<AnyHashable> {
      return set.map(\.base)
    }
    if let handle = Value.instance(part) as? any _CollectionHandle {
      return plain(handle) as? [Any]
    }
    return nil
  }

  /// One value, or one element.
  private mutating func element(_ part: Any, _ place: Place) throws(Failure) -> _Boxed {
    let part = Value.unwrapped(part)
    let kind = place.property.type.kind
    if kind.type == .mixed {
      guard let value = AnyRealmValue(any: part) else { throw place.mismatch(part) }
      return value._$boxed
    }
    if Value.isNull(part) {
      guard kind.isNullable || kind.type == .link && kind.collection == .none else {
        throw place.failure(.missingValue, "Null was given for what needs a value.", "nil")
      }
      return .null
    }
    if let target = place.property.type.target { return try link(part, target, place) }
    guard let value = Value.converting(part, to: kind.type), kind.accepts(value),
      place.property.type.knows?(value) ?? true
    else { throw place.mismatch(part) }
    return _Boxed(value)
  }

  private mutating func link(
    _ part: Any, _ target: ObjectBase.Type, _ place: Place
  ) throws(Failure) -> _Boxed {
    if let object = Value.instance(part) as? ObjectBase {
      guard type(of: object) == target else { throw place.mismatch(part) }
      return _Boxed(.object(object))
    }
    guard part is [String: Any] || part is [Any] else { throw place.mismatch(part) }
    let object = target.init()
    object.markPartial()
    nested.append((object, part))
    return _Boxed(.object(object))
  }

  /// A refused value, for errors. Of what may be large, or nested to any depth, only the kind.
  private static func text(of part: Any) -> String {
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

  /// Where a value goes, for errors.
  private struct Place {
    let className: String
    let property: PropertyDescriptor

    func failure(_ code: Failure.Code, _ message: String, _ value: String) -> Failure {
      Failure(
        code, message, className: className, propertyName: property.name, value: value)
    }

    func mismatch(_ part: Any) -> Failure {
      failure(
        .typeMismatch, "The value is of another type than the property.",
        "\(ValueReader.text(of: part)) of type \(type(of: part))")
    }
  }
}

extension ObjectBase {
  /// Whether an object is of this class or of one derived from it.
  fileprivate class func isClass(of object: ObjectBase) -> Bool { object is Self }
}
