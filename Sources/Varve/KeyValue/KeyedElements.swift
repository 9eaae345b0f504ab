import Foundation
import VarveCore
import VarveEncoding

/// A collection whose elements are asked for by keys and key paths.
protocol KeyedCollection {
  /// The elements as they are now.
  var keyed: KeyedElements { get }
}

extension KeyedCollection where Self: _LiveCollection, Element: RealmCollectionValue {
  var keyed: KeyedElements { KeyedElements(self) }
}

/// The elements of a collection of any kind, as keys and key paths see them: lists, sets, maps, results
/// and linking objects share this.
///
/// Thread safety: a value for one call; each question reads the elements of one version.
struct KeyedElements {
  /// What the elements are.
  let type: _PropertyType
  let isInvalidated: Bool
  /// The class and the property that a collection belonged to whose object is deleted.
  private let lost: (className: String, propertyName: String)?
  /// The value under a key; nil for a collection that has no keys.
  var entry: ((String) -> _Boxed?)?
  let elements: () -> [_Boxed]

  init(
    type: _PropertyType, isInvalidated: Bool, of collection: Any,
    entry: ((String) -> _Boxed?)? = nil, elements: @escaping () -> [_Boxed]
  ) {
    self.type = type
    self.isInvalidated = isInvalidated
    let handle = isInvalidated ? (collection as? any _AnyCollection)?.handle : nil
    lost = handle.map { ($0.className, $0.propertyDescription.name) }
    self.entry = entry
    self.elements = elements
  }

  init<C: _LiveCollection>(_ collection: C) where C.Element: RealmCollectionValue {
    self.init(
      type: C.Element._$elementType, isInvalidated: collection.isInvalidated, of: collection
    ) { collection.map(\._$boxed) }
  }

  /// The class of the elements, or their type; for errors.
  var name: String {
    type.target.map { ClassInfo.of($0).name } ?? type.kind.type.swiftName
  }

  /// What a property of each element is; `self` stands for the element.
  ///
  /// - Throws: `.invalidatedObject`, `.unknownProperty`, `.invalidInput` for an operator.
  func values(forKey key: String) throws(Failure) -> [Any?] {
    try checkValid()
    if key == "self" { return elements().map { $0.keyedValue(as: type) } }
    guard !key.hasPrefix("@") else {
      throw failure(.invalidInput, "An operator stands in a key path, not in a key.", key)
    }
    try checkProperty(key)
    var values: [Any?] = []
    for element in elements() { values.append(try element.object?.keyedValue(key)) }
    return values
  }

  /// Sets a property of each element: first all of them are found, since what a change takes out of results
  /// is changed even so.
  func set(_ value: Any?, forKey key: String) throws {
    try Realm.Error.translating {
      try checkValid()
      guard try checkProperty(key, value: ValueReader.text(of: value ?? NSNull())) != nil else {
        throw failure(.invalidInput, "The elements of the collection cannot be set.", key)
      }
    }
    for element in elements() { try element.object?.setValue(value, forKey: key) }
  }

  /// What a key path leads to.
  ///
  /// - Throws: as ``values(forKey:)``, and `.invalidInput` for an operator that there is not, that lacks its
  ///   key path, or whose key path is nested.
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
    return values
  }

  /// The class of the elements; of objects whose class the program does not declare that of the first.
  private var classInfo: ClassInfo? {
    type.target == DynamicObject.self
      ? elements().first?.object?.info : type.target.map(ClassInfo.of)
  }

  /// The property of the elements that a name stands for; nil for `self`, and where there is no object that tells.
  ///
  /// `value`: what it is to be set to, for the error.
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
  /// The names of a key path.
  ///
  /// - Throws: `.invalidInput` for one with an empty name, or with more than ``QueryPath/maximumCount``.
  static func names(_ keyPath: String, _ className: String) throws(Failure) -> ArraySlice<String> {
    let names = DottedPath.names(keyPath)
    try DottedPath.check(names, of: className)
    guard names.allSatisfy({ !$0.isEmpty }) else {
      throw Failure(
        .invalidInput, "A key path is made of names with dots between them.", className: className,
        value: keyPath)
    }
    return names[...]
  }

  /// What names lead to from a value; nil behind a null.
  ///
  /// - Throws: as ``KeyedElements/value(_:)``, and `.invalidInput` where names go on behind a value that
  ///   has none.
  static func value(_ start: Any?, _ names: ArraySlice<String>) throws(Failure) -> Any? {
    var (value, rest) = (start, names)
    while let name = rest.popFirst() {
      guard let current = value else { return nil }
      if let collection = current as? any KeyedCollection {
        return try collection.keyed.value([name] + rest)
      }
      guard let object = Value.instance(current) as? ObjectBase else {
        throw Failure(
          .invalidInput, "A key path goes on behind a value that has no properties.",
          propertyName: name, value: ValueReader.text(of: current))
      }
      value = try object.keyedValue(name)
    }
    return value
  }
}

extension _Boxed {
  /// The value as keys give it: nil for null, integers in their declared width, enumerations as their raw values.
  func keyedValue(as type: _PropertyType) -> Any? {
    switch content {
    case .value(let value): value.isNull ? nil : type.any(value)
    case .object(let object): object
    case .collection(let collection): collection
    case .unset: nil
    }
  }
}
