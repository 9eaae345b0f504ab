import Foundation
import VarveCore
import VarveEncoding

/// A collection whose elements are accessed by keys and key paths.
protocol KeyedCollection {
  /// The current elements.
  var keyed: KeyedElements { get }
}

extension KeyedCollection where Self: _LiveCollection, Element: RealmCollectionValue {
  var keyed: KeyedElements { KeyedElements(self) }
}

/// The elements of a collection, as accessed by keys and key paths. Lists, sets, maps, results and
/// linking objects share this type.
///
/// Thread safety: a value for one call. Each access reads the elements of one version.
struct KeyedElements {
  /// The type of the elements.
  let type: _PropertyType
  let isInvalidated: Bool
  /// The class and the property of the collection, if its object is deleted.
  private let lost: (className: String, propertyName: String)?
  /// Returns the value under a key; nil for a collection without keys.
  var entry: ((String) -> _Boxed?)?
  let elements: () -> [_Boxed]
  /// Whether the values of the elements are a set.
  var isSet = false

  init(
    type: _PropertyType, isInvalidated: Bool, of collection: Any,
    entry: ((String) -> _Boxed?)? = nil, elements: @escaping () -> [_Boxed]
  ) {
    self.type = type
    self.isInvalidated = isInvalidated
    let handle = isInvalidated ? (collection as? any _AnyCollection)?.handle : nil
    lost = handle.map { ($0.className, $0.propertyDescription.alias) }
    self.entry = entry
    self.elements = elements
  }

  init<C: _LiveCollection>(_ collection: C) where C.Element: RealmCollectionValue {
    self.init(
      type: C.Element._$elementType, isInvalidated: collection.isInvalidated, of: collection
    ) { collection.map(\._$boxed) }
  }

  /// The class of the elements, or their type, for errors.
  var name: String {
    type.target.map { ClassInfo.of($0).name } ?? type.kind.type.swiftName
  }

  /// Returns a property of each element; `self` stands for the element.
  ///
  /// - Throws: `.invalidatedObject`, `.unknownProperty`, `.invalidInput` for an operator.
  func values(forKey key: String) throws(Failure) -> [Any?] {
    try checkValid()
    if key == "self" { return elements().map { $0.keyedValue(as: type) } }
    guard !key.hasPrefix("@") else {
      throw failure(.invalidInput, "A key cannot contain an operator: use a key path.", key)
    }
    try checkProperty(key)
    var values: [Any?] = []
    for element in elements() { values.append(try element.object?.keyedValue(key)) }
    return values
  }

  /// Sets a property of each element. All elements are collected first, because an element that a
  /// change removes from results must be changed too.
  func set(_ value: Any?, forKey key: String) throws {
    try Realm.Error.translating {
      try checkValid()
      guard try checkProperty(key, value: ValueReader.text(of: value ?? NSNull())) != nil else {
        throw failure(.invalidInput, "The elements of the collection cannot be set.", key)
      }
    }
    for element in elements() { try element.object?.setValue(value, forKey: key) }
  }

  /// Evaluates a key path on the elements.
  ///
  /// - Throws: The errors of ``values(forKey:)``; `.invalidInput` for an operator that does not
  ///   exist, that lacks its key path, or whose key path is nested.
  func value(_ names: ArraySlice<String>) throws(Failure) -> Any? {
    guard let name = names.first else { return nil }
    try checkValid()
    if name.hasPrefix("@") {
      return try CollectionOperator(name, names.dropFirst(), of: self).value()
    }
    if let entry, name != "self" {
      return try KeyPathWalk.value(entry(name)?.keyedValue(as: type), names.dropFirst())
    }
    var values: [Any?] = []
    for value in try self.values(forKey: name) {
      values.append(try KeyPathWalk.value(value, names.dropFirst()))
    }
    return isSet ? Self.set(of: values) : values
  }

  /// Returns the values as a set, which can be cast to a set of their type; as an array if one of
  /// them is not hashable, such as a collection.
  static func set(of values: [Any?]) -> Any {
    var set: Set<AnyHashable> = []
    for value in values {
      guard let value = hashable(value) else { return values }
      set.insert(value)
    }
    return set
  }

  private static func hashable(_ value: Any?) -> AnyHashable? {
    guard let value else { return AnyHashable(AnyHashable?.none) }
    guard let array = value as? [Any?] else {
      return (value as? any Hashable).map { AnyHashable($0) }
    }
    let elements = array.compactMap(hashable)
    return elements.count == array.count ? AnyHashable(elements) : nil
  }

  /// The class of the elements; for dynamic objects, the class of the first element.
  private var classInfo: ClassInfo? {
    type.target == DynamicObject.self
      ? elements().first?.object?.info : type.target.map(ClassInfo.of)
  }

  /// Returns the elements' property with a name; nil for `self`, and for dynamic objects when there
  /// is no element.
  ///
  /// `value`: the new value of the property, for the error.
  @discardableResult
  func checkProperty(
    _ name: String, value: String? = nil
  ) throws(Failure) -> PropertyDescriptor? {
    if name == "self" { return nil }
    let info = classInfo
    if info == nil, type.target == DynamicObject.self { return nil }
    guard let info, let slot = info.slot(named: name) else {
      throw Failure.unknownProperty(name, info?.name ?? self.name, value: value)
    }
    return info.properties[slot]
  }

  func failure(_ code: Failure.Code, _ message: String, _ value: String) -> Failure {
    Failure(code, message, className: name, value: value)
  }

  func checkValid() throws(Failure) {
    guard !isInvalidated else {
      throw Failure(
        .invalidatedObject, "The object that the collection belongs to is deleted.",
        className: lost?.className ?? name, propertyName: lost?.propertyName)
    }
  }
}

/// Follows the names of a key path through objects and collections.
enum KeyPathWalk {
  /// Splits a key path into names.
  ///
  /// - Throws: `.invalidInput` for an empty name, and for more than ``QueryPath/maximumCount``
  ///   names.
  static func names(_ keyPath: String, _ className: String) throws(Failure) -> ArraySlice<String> {
    let names = DottedPath.names(keyPath)
    try DottedPath.check(names, of: className)
    guard names.allSatisfy({ !$0.isEmpty }) else {
      throw Failure(
        .invalidInput, "A key path consists of names separated by dots.", className: className,
        value: keyPath)
    }
    return names[...]
  }

  /// Follows names from a value. The result is nil after a null.
  ///
  /// - Throws: The errors of ``KeyedElements/value(_:)``; `.invalidInput` when names follow a value
  ///   that has no properties.
  static func value(_ start: Any?, _ names: ArraySlice<String>) throws(Failure) -> Any? {
    var (value, rest) = (start, names)
    while let name = rest.popFirst() {
      guard let current = value else { return nil }
      if let collection = current as? any KeyedCollection {
        return try collection.keyed.value([name] + rest)
      }
      guard let object = Value.instance(current) as? ObjectBase else {
        throw Failure(
          .invalidInput, "A key path continues after a value that has no properties.",
          propertyName: name, value: ValueReader.text(of: current))
      }
      value = try object.keyedValue(name)
    }
    return value
  }
}

extension _Boxed {
  /// The value in the form that keys return: nil for null, integers in their declared width,
  /// enumerations as their raw values.
  func keyedValue(as type: _PropertyType) -> Any? {
    switch content {
    case .value(let value): value.isNull ? nil : type.any(value)
    case .object(let object): object
    case .collection(let collection): collection
    case .unset: nil
    }
  }
}
