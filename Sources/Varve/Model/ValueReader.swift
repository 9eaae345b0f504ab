import Foundation
import VarveCore
import VarveEncoding

/// Fills unmanaged objects from dictionaries, arrays, JSON and other objects.
enum ValueReader {
  /// Sets the properties that `value` gives; what does not fit is noted in the object.
  static func fill(_ object: ObjectBase, from value: Any) {
    do throws(Failure) {
      try read(value, into: object)
    } catch {
      object.noteFailure(error)
    }
  }

  private static func read(_ value: Any, into object: ObjectBase) throws(Failure) {
    let info = object.info
    if let other = value as? ObjectBase { return try copy(other, into: object, info) }
    if let dictionary = value as? [String: Any] {
      for (name, part) in dictionary.sorted(by: { $0.key < $1.key }) {
        guard let slot = info.slot(named: name) else {
          throw Failure(
            .unknownProperty, "The class has no such property.", className: info.name,
            propertyName: name, value: "\(part)")
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

  private static func copy(
    _ other: ObjectBase, into object: ObjectBase, _ info: ClassInfo
  ) throws(Failure) {
    for property in info.properties where property.originProperty == nil {
      guard let slot = other.info.slot(named: property.name) else { continue }
      let box = other.info.properties[slot].read(other, slot)
      if case .collection(let handle) = box.content {
        try set(plain(handle), property, of: object, info)
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

  private static func set(
    _ part: Any, _ property: PropertyDescriptor, of object: ObjectBase, _ info: ClassInfo
  ) throws(Failure) {
    guard property.originProperty == nil else {
      throw Failure(
        .invalidInput, "Linking objects cannot be set.", className: info.name,
        propertyName: property.name)
    }
    let place = Place(className: info.name, property: property)
    switch property.type.kind.collection {
    case .none:
      object._$setBoxed(property.slot, try element(part, place))
    case .list, .set:
      guard case .collection(let handle) = property.read(object, property.slot).content else {
        return
      }
      if isNull(part) { return handle.replaceContent([], []) }
      guard let parts = sequence(part) else { throw place.mismatch(part) }
      var elements: [_Boxed] = []
      for part in parts { elements.append(try element(part, place)) }
      handle.replaceContent(elements, [])
    case .dictionary:
      guard case .collection(let handle) = property.read(object, property.slot).content else {
        return
      }
      if isNull(part) { return handle.replaceContent([], []) }
      guard let parts = part as? [String: Any] else { throw place.mismatch(part) }
      var entries: [(key: String, value: _Boxed)] = []
      for (key, part) in parts { entries.append((key, try element(part, place))) }
      handle.replaceContent([], entries)
    }
  }

  private static func sequence(_ part: Any) -> [Any]? {
    if let array = part as? [Any] { return array }
    if let handle = part as? any _CollectionHandle { return plain(handle) as? [Any] }
    return nil
  }

  /// One value, or one element.
  private static func element(_ part: Any, _ place: Place) throws(Failure) -> _Boxed {
    let kind = place.property.type.kind
    if isNull(part) {
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

  private static func link(
    _ part: Any, _ target: ObjectBase.Type, _ place: Place
  ) throws(Failure) -> _Boxed {
    if let object = part as? ObjectBase {
      guard type(of: object) == target else { throw place.mismatch(part) }
      return _Boxed(.object(object))
    }
    guard part is [String: Any] || part is [Any] else { throw place.mismatch(part) }
    let object = target.init()
    object.markPartial()
    try read(part, into: object)
    if let failure = object.notedFailure { throw failure }
    return _Boxed(.object(object))
  }

  /// Whether a value stands for null, in an optional too.
  private static func isNull(_ part: Any) -> Bool {
    if part is NSNull { return true }
    guard let optional = part as? any OptionalValue else { return false }
    return optional.isNil
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
        "\(part) of type \(type(of: part))")
    }
  }
}

/// An optional behind `Any`.
private protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { self == nil }
}
