import Foundation
import VarveCore
import VarveEncoding

/// Access to the parts of values of any type.
extension ValueReader {
  /// Returns the entries of a dictionary or a map, and nil for other types.
  ///
  /// The entries of a map are not converted to a dictionary, in which keys with different bytes may
  /// be equal.
  static func dictionary(_ part: Any) -> [(key: String, value: Any)]? {
    if let dictionary = part as? [String: Any] { return dictionary.map { ($0, $1) } }
    guard let collection = Value.instance(part) as? any _AnyCollection, collection.isDictionary
    else {
      return nil
    }
    return collection.unmanagedEntries.map { ($0.key, any($0.value)) }
  }

  /// Returns the elements of a sequence, and nil for other types. Strings, data and dictionaries
  /// are not sequences of elements, and neither is a `Set` when the order is significant.
  static func sequence(_ part: Any, _ kind: PropertyKind) -> [Any]? {
    if let array = part as? [Any] { return array }
    if let set = part as? Set<AnyHashable> {
      return kind.collection == .set ? set.map(\.base) : nil
    }
    if let collection = Value.instance(part) as? any _AnyCollection {
      return collection.isDictionary ? nil : collection.unmanagedElements.map(any)
    }
    if part is any StringProtocol || part is Data || part is [AnyHashable: Any] { return nil }
    guard let sequence = part as? any Sequence else { return nil }
    return sequence.map { $0 }
  }

  /// Returns an element in the form that a user would pass.
  static func any(_ box: _Boxed) -> Any {
    if let object = box.object { return object }
    if case .collection = box.content { return AnyRealmValue._$unboxed(box, nil) ?? .none }
    return box.value?.any ?? NSNull()
  }
}
