public import Foundation
import VarveEncoding

/// A value of any type, or none.
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
/// Properties, lists and maps may hold it. The value says its own type, and keeps it: 1 and 1.0 are stored as two
/// values. `==` compares as the types do, and tells types apart. Queries compare numbers of all types by their
/// value; values of types that have no common order satisfy neither `<` nor `>`. Sorting puts the types in a
/// fixed order, see ``SortableType``.
///
/// An object is linked to: it is added to the realm with the value. When it is deleted the value becomes
/// ``none``, in lists and maps too. `LinkingObjects` do not know of such links. One of a class that the program does
/// not declare reads as ``DynamicObject``; ``object(_:)-method`` gives it as one of the class.
///
/// A value may be a list or a dictionary of such values, which may hold further ones, up to 100 in one another:
///
/// ```swift
/// setting.value = ["sizes": [1, 2.5, nil], "name": "five"]
/// setting.value.dictionaryValue?["sizes"]?.listValue?.append("large")
/// ```
///
/// A list or dictionary is copied when it is set, a managed one too: the one to change it by is read from where it
/// was set to. Whoever removes or replaces the value, or deletes the object, deletes what is nested in it; handles
/// to that are invalidated. A value whose list or dictionary was changed, itself or below, counts as changed.
///
/// Thread safety: as the value that it holds.
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
  /// The integer; nil for another type.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }

  /// The Bool; nil for another type.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The Float; nil for another type.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }

  /// The Double; nil for another type.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }

  /// The string; nil for another type.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The data; nil for another type.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }

  /// The date; nil for another type.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }

  /// The object id; nil for another type.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }

  /// The UUID; nil for another type.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }

  /// The decimal number; nil for another type.
  public var decimal128Value: Decimal128? {
    if case .decimal128(let value) = self { value } else { nil }
  }

  /// The list; nil for another type.
  public var listValue: List<AnyRealmValue>? {
    if case .list(let value) = self { value } else { nil }
  }

  /// The dictionary; nil for another type.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The element of a list; nil for another type.
  ///
  /// - Precondition: as for ``List/subscript(_:)->Element``.
  public subscript(index: Int) -> AnyRealmValue? { listValue?[index] }

  /// The value under a key of a dictionary; nil for an absent key and another type.
  public subscript(key: String) -> AnyRealmValue? { dictionaryValue?[key] }

  /// A list of values.
  ///
  /// - Parameter array: the values.
  /// - Returns: an unmanaged list with them.
  /// - Complexity: O(n).
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }

  /// A dictionary of values.
  ///
  /// - Parameter dictionary: the values.
  /// - Returns: an unmanaged dictionary with them.
  /// - Complexity: O(n log n).
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    map.addEntries(from: dictionary)
    return .dictionary(map)
  }

  /// The object, if it is one of a class.
  ///
  /// - Parameter type: the class; the first use of one with which the value was stored makes the program know it.
  /// - Returns: nil for an object of another class, and for another type.
  public func object<T: Object>(_ type: T.Type) -> T? {
    if let object = heldObject as? T { return object }
    return (heldObject as? DynamicObject).flatMap { $0.reattached() }
  }

  /// The object, of whatever class.
  var heldObject: Object? { if case .object(let object) = self { object } else { nil } }
}

extension AnyRealmValue: CustomStringConvertible {
  /// The value as the description of an object shows it.
  public var description: String { _$boxed.text }
}
