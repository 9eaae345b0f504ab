import Foundation
import VarveCore
import VarveEncoding

/// What stands in values of any type.
extension ValueReader {
  /// The entries of a dictionary or a map; nil for something else.
  ///
  /// No dictionary is made of those of a map: to it, keys that differ in their bytes may be the same.
  static func dictionary(_ part: Any) -> [(key: String, value: Any)]? {
    if let dictionary = part as? [String: Any] { return dictionary.map { ($0, $1) } }
    guard let collection = Value.instance(part) as? any _AnyCollection, collection.isDictionary
    else {
      return nil
    }
    return collection.unmanagedEntries.map { ($0.key, any($0.value)) }
  }

  /// The elements of a sequence; nil for something else, for texts, data and dictionaries, and for a `Set` where order
  /// counts.
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

  /// An element as a user would give it.
  static func any(_ box: _Boxed) -> Any {
    if let object = box.object { return object }
    if case .collection = box.content { return AnyRealmValue._$unboxed(box, nil) ?? .none }
    return box.value?.any ?? NSNull()
  }
}
