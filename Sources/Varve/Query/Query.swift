public import Foundation
import VarveCore
import VarveEncoding

/// A typed condition, as the closure of ``Results/where(_:)`` builds it.
///
/// Properties are reached by their names; operators and methods compare them. A wrong name or type
/// does not compile.
///
/// ```swift
/// dogs.where { $0.age > 5 && $0.owner.name == "Ann" }
/// ```
///
/// Thread safety: an immutable value.
@dynamicMemberLookup
public struct Query<T>: Sendable {
  let path: [String]
  private let expression: Condition

  init(path: [String] = []) {
    self.path = path
    expression = .always
  }

  init(_ expression: Condition) {
    path = []
    self.expression = expression
  }

  /// The condition on a path when the path itself is a Bool: `$0.isOpen`.
  var condition: Condition {
    path.isEmpty
      ? expression : .comparison(Condition.Comparison(path, .equal, .value(.bool(true))))
  }
}

extension Query where T: ObjectBase {
  /// A property.
  public subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> {
    Query<V>(path: path + ClassInfo.path(keyPath))
  }
}

extension Query {
  /// A property of a linked object; null when the link is.
  public subscript<O: ObjectBase, V>(dynamicMember keyPath: KeyPath<O, V>) -> Query<V>
  where T == O? {
    Query<V>(path: path + ClassInfo.path(keyPath))
  }

  func compare(
    _ operation: Condition.Operation, _ operand: Condition.Operand, caseInsensitive: Bool = false
  ) -> Query<Bool> {
    Query<Bool>(
      .comparison(
        Condition.Comparison(path, operation, operand, isCaseInsensitive: caseInsensitive)))
  }
}

extension ClassInfo {
  /// The names of the properties that a key path reads.
  static func path<Root: ObjectBase, V>(_ keyPath: KeyPath<Root, V>) -> [String] {
    let info = ClassInfo.of(Root.self)
    if let slot = info.slot(of: keyPath) { return [info.properties[slot].name] }
    let recorder = _KeyPathRecorder()
    let object = Root()
    object.recorder = recorder
    _ = object[keyPath: keyPath]
    precondition(
      !recorder.names.isEmpty, "The key path reads no persisted property of \(info.name).")
    return recorder.names
  }
}

// MARK: Boolean operators

/// Both conditions.
public func && (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
  Query(.and(left.condition, right.condition))
}

/// Either condition.
public func || (left: Query<Bool>, right: Query<Bool>) -> Query<Bool> {
  Query(.or(left.condition, right.condition))
}

/// Not the condition.
public prefix func ! (query: Query<Bool>) -> Query<Bool> { Query(.not(query.condition)) }

// MARK: Comparison

extension Query where T: RealmCollectionValue {
  /// Equal to a value.
  public static func == (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.equal, .value(right._$boxed.queryValue))
  }

  /// Not equal to a value.
  public static func != (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.notEqual, .value(right._$boxed.queryValue))
  }

  /// Equal to another property.
  public static func == (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.equal, .path(right.path))
  }

  /// Not equal to another property.
  public static func != (left: Query<T>, right: Query<T>) -> Query<Bool> {
    left.compare(.notEqual, .path(right.path))
  }

  /// Among some values.
  public func `in`(_ values: some Sequence<T>) -> Query<Bool> {
    compare(.in, .values(values.map { $0._$boxed.queryValue }))
  }
}

/// A type whose values have an order that queries may ask for.
public protocol _QueryComparable: RealmCollectionValue {}
extension Int: _QueryComparable {}
extension Int8: _QueryComparable {}
extension Int16: _QueryComparable {}
extension Int32: _QueryComparable {}
extension Int64: _QueryComparable {}
extension Float: _QueryComparable {}
extension Double: _QueryComparable {}
extension String: _QueryComparable {}
extension Date: _QueryComparable {}
extension ObjectId: _QueryComparable {}
extension Optional: _QueryComparable where Wrapped: _QueryComparable {}

extension Query where T: _QueryComparable {
  /// Less than a value; false for null.
  public static func < (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.less, .value(right._$boxed.queryValue))
  }

  /// Less than or equal to a value; false for null.
  public static func <= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.lessOrEqual, .value(right._$boxed.queryValue))
  }

  /// Greater than a value; false for null.
  public static func > (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greater, .value(right._$boxed.queryValue))
  }

  /// Greater than or equal to a value; false for null.
  public static func >= (left: Query<T>, right: T) -> Query<Bool> {
    left.compare(.greaterOrEqual, .value(right._$boxed.queryValue))
  }

  /// Within a closed range.
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> where T: Comparable {
    self >= range.lowerBound && self <= range.upperBound
  }

  /// Within a half-open range.
  public func contains(_ range: Range<T>) -> Query<Bool> where T: Comparable {
    self >= range.lowerBound && self < range.upperBound
  }
}

// MARK: Strings

/// A string, or an optional one.
public protocol _QueryString: RealmCollectionValue {}
extension String: _QueryString {}
extension Optional: _QueryString where Wrapped == String {}

extension Query where T: _QueryString {
  /// Begins with a string; an empty one holds for none.
  public func starts(with prefix: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.beginsWith, .value(.string(prefix)), caseInsensitive: caseInsensitive)
  }

  /// Ends with a string; an empty one holds for none.
  public func ends(with suffix: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.endsWith, .value(.string(suffix)), caseInsensitive: caseInsensitive)
  }

  /// Contains a string; an empty one holds for none.
  public func contains(_ part: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.contains, .value(.string(part)), caseInsensitive: caseInsensitive)
  }

  /// Equal to a string, by bytes or with case folded.
  public func equals(_ other: String, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.equal, .value(.string(other)), caseInsensitive: caseInsensitive)
  }
}

extension _Boxed {
  /// The value that a comparison asks for: of an object, its link.
  var queryValue: Value {
    switch content {
    case .value(let value): value
    case .object(let object):
      .link(
        classID: object.cell.isTied ? object.cell.binding.schema?.id ?? 0 : 0,
        objectID: object.cell.id)
    case .collection, .unset: .null
    }
  }
}
