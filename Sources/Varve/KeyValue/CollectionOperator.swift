import VarveCore
import VarveEncoding

/// A collection operator of a key path, such as `@sum.age`.
struct CollectionOperator {
  private enum Kind: String {
    case count, min, max, sum, avg
    case unionOfObjects, distinctUnionOfObjects, unionOfArrays, distinctUnionOfArrays
  }

  private let kind: Kind
  private let elements: KeyedElements
  /// The property that the operator reads; nil for the elements themselves.
  private let property: PropertyDescriptor?

  /// `name`: the operator with its `@`; `path`: the names after it.
  /// - Throws: `.invalidInput`, `.unknownProperty`.
  init(
    _ name: String, _ path: ArraySlice<String>, of elements: KeyedElements
  ) throws(Failure) {
    guard let kind = Kind(rawValue: String(name.dropFirst())) else {
      throw elements.failure(.invalidInput, "There is no such collection operator.", name)
    }
    let text = ([name] + path).joined(separator: ".")
    if kind == .count {
      guard path.isEmpty else {
        throw elements.failure(.invalidInput, "The operator takes no key path.", text)
      }
    } else if path.count != 1 {
      throw elements.failure(
        .invalidInput,
        path.isEmpty
          ? "The collection operator needs the name of a property."
          : "A collection operator takes one property, not a nested key path.", text)
    }
    self.kind = kind
    self.elements = elements
    property = try path.first.flatMap { (name) throws(Failure) in try elements.checkProperty(name) }
    try checkType(text)
  }

  /// Throws unless the operator supports the type of the values.
  private func checkType(_ text: String) throws(Failure) {
    let isCollection = property.map { $0.type.kind.collection != .none } ?? false
    let fits =
      switch kind {
      case .count: true
      case .min, .max: !isCollection && (type.kind.type.isNumber || type.kind.type == .date)
      case .sum, .avg: !isCollection && type.kind.type.isNumber
      case .unionOfObjects, .distinctUnionOfObjects: !isCollection
      case .unionOfArrays, .distinctUnionOfArrays: isCollection
      }
    guard !fits else { return }
    throw Failure(
      .invalidInput, "The collection operator does not support values of this type.",
      className: elements.name, propertyName: property?.name,
      value: "\(text) of type "
        + type.kind.typeName(target: type.target.map { ClassInfo.of($0).name }))
  }

  /// The type of the values that the operator reads.
  private var type: _PropertyType { property?.type ?? elements.type }

  /// Evaluates the operator.
  ///
  /// - Complexity: O(n).
  func value() throws(Failure) -> Any? {
    switch kind {
    case .count: return elements.elements().count
    case .min: return extreme(.least)
    case .max: return extreme(.greatest)
    case .sum: return sum.value(as: type.kind.type).any
    case .avg: return type.kind.type == .decimal128 ? sum.typedAverage : sum.average
    case .unionOfObjects: return boxes.compactMap { $0.keyedValue(as: type) }
    case .distinctUnionOfObjects: return Self.distinct(boxes).compactMap { $0.keyedValue(as: type) }
    case .unionOfArrays: return try arrays().compactMap { $0.keyedValue(as: type) }
    case .distinctUnionOfArrays:
      return Self.distinct(try arrays()).compactMap { $0.keyedValue(as: type) }
    }
  }

  /// The property's value of each element.
  private var boxes: [_Boxed] {
    guard let property else { return elements.elements() }
    return elements.elements().compactMap(\.object).map { property.read($0, property.slot) }
  }

  /// The values of the elements. Links and collections count as null.
  private var values: some Sequence<Value> { boxes.lazy.map { $0.value ?? .null } }

  private var sum: ValueSum { ValueSum(values) }

  private func extreme(_ end: ValueExtreme.End) -> Any? {
    ValueExtreme(end, of: type.kind.type, among: values).value.map(type.any)
  }

  /// Returns the elements of all collections that the property has in the elements.
  private func arrays() throws(Failure) -> [_Boxed] {
    guard let property else { return [] }
    var all: [_Boxed] = []
    for object in elements.elements().compactMap(\.object) {
      guard let collection = try object.keyedValue(property.name) as? any KeyedCollection else {
        continue
      }
      all += collection.keyed.elements()
    }
    return all
  }

  private static func distinct(_ boxes: [_Boxed]) -> [_Boxed] {
    var values: Set<Value> = []
    var objects: Set<ElementIdentity> = []
    return boxes.filter { box in
      if let object = box.object { return objects.insert(ElementIdentity(object: object)).inserted }
      return values.insert(box.value ?? .null).inserted
    }
  }
}

extension VarveEncoding.PropertyType {
  fileprivate var isNumber: Bool {
    switch self {
    // Of mixed values, those that are numbers count.
    case .int8, .int16, .int32, .int64, .float, .double, .decimal128, .mixed: true
    default: false
    }
  }
}
