public import Foundation
import VarveEncoding

/// A value of any supported type, or none.
///
/// ```swift
/// @Model final class Setting: Object {
///   @Persisted(primaryKey: true) var name: String
///   @Persisted var value: AnyRealmValue
/// }
/// setting.value = 5
/// setting.value = "five"
/// ```
///
/// Properties, lists, sets and maps can contain it. The value stores its own type: 1 and 1.0 are
/// different values. `==` compares values as their types do, and values of different types are
/// never equal. Queries compare numbers of all types by their numeric value; values of types
/// without a common order match neither `<` nor `>`. Sorting orders the types as described by
/// ``SortableType``.
///
/// An object is stored as a link, and is added to the realm together with the value. When the
/// object is deleted, the value becomes ``none``, also in lists and maps; a set removes it.
/// `LinkingObjects` do not include such links. An object of a class that the program does not
/// declare reads as a ``DynamicObject``; ``object(_:)-method`` returns it as an instance of a
/// declared class.
///
/// A value can be a list or a dictionary of such values. They can be nested up to 100 levels deep,
/// and cannot be in a set:
///
/// ```swift
/// setting.value = ["sizes": [1, 2.5, nil], "name": "five"]
/// setting.value.dictionaryValue?["sizes"]?.listValue?.append("large")
/// ```
///
/// A list or dictionary is copied when it is assigned, even if it is managed. To change the stored
/// collection, read it from the property to which it was assigned. Removing or replacing the value,
/// or deleting the object, deletes the nested collections and invalidates all instances that refer
/// to them. A change to a nested list or dictionary, at any level, is a change of the value.
///
/// Thread safety: that of the contained value.
public enum AnyRealmValue: Hashable, Sendable {
  /// No value.
  case none
  /// An integer.
  case int(Int)
  /// A Bool.
  case bool(Bool)
  /// A Float.
  case float(Float)
  /// A Double.
  case double(Double)
  /// A string.
  case string(String)
  /// Data.
  case data(Data)
  /// A date.
  case date(Date)
  /// An object of any class.
  case object(Object)
  /// An object id.
  case objectId(ObjectId)
  /// A UUID.
  case uuid(UUID)
  /// A decimal number.
  case decimal128(Decimal128)
  /// A list of values.
  case list(List<AnyRealmValue>)
  /// A dictionary of values.
  case dictionary(Map<String, AnyRealmValue>)
}

extension AnyRealmValue {
  /// The integer; nil for a value of another type.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }

  /// The Bool; nil for a value of another type.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The Float; nil for a value of another type.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }

  /// The Double; nil for a value of another type.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }

  /// The string; nil for a value of another type.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The data; nil for a value of another type.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }

  /// The date; nil for a value of another type.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }

  /// The object id; nil for a value of another type.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }

  /// The UUID; nil for a value of another type.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }

  /// The decimal number; nil for a value of another type.
  public var decimal128Value: Decimal128? {
    if case .decimal128(let value) = self { value } else { nil }
  }

  /// The list; nil for a value of another type.
  public var listValue: List<AnyRealmValue>? {
    if case .list(let value) = self { value } else { nil }
  }

  /// The dictionary; nil for a value of another type.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The element of a list at an index; nil for a value of another type.
  ///
  /// - Precondition: See ``List/subscript(_:)->Element``.
  public subscript(index: Int) -> AnyRealmValue? { listValue?[index] }

  /// The value of a dictionary for a key; nil when the dictionary does not contain the key, and for
  /// a value of another type.
  public subscript(key: String) -> AnyRealmValue? { dictionaryValue?[key] }

  /// Creates an unmanaged list of values.
  ///
  /// - Complexity: O(n).
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }

  /// Creates an unmanaged dictionary of values.
  ///
  /// - Complexity: O(n log n).
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    map.addEntries(from: dictionary)
    return .dictionary(map)
  }

  /// Returns the object as an instance of a class.
  ///
  /// - Parameter type: The class. It may be a class that the program uses for the first time.
  /// - Returns: Nil for an object of another class, and for a value of another type.
  public func object<T: Object>(_ type: T.Type) -> T? {
    if let object = linkedObject as? T { return object }
    return (linkedObject as? DynamicObject).flatMap { $0.reattached() }
  }

  /// The object, whatever its class.
  var linkedObject: Object? { if case .object(let object) = self { object } else { nil } }
}

extension AnyRealmValue: CustomStringConvertible {
  /// The value as it appears in the description of an object.
  public var description: String { _$boxed.text }
}
