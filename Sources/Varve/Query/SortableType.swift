public import Foundation

/// A type that objects can be sorted by.
///
/// Enumerations sort by their raw values. An ``AnyRealmValue`` sorts by its type first: null, Bool,
/// numbers of all types, String, Data, Date, ObjectId, UUID, objects, lists, dictionaries.
public protocol SortableType: _Persistable {}

extension Bool: SortableType {}
extension Int: SortableType {}
extension Int8: SortableType {}
extension Int16: SortableType {}
extension Int32: SortableType {}
extension Int64: SortableType {}
extension Float: SortableType {}
extension Double: SortableType {}
extension String: SortableType {}
extension Data: SortableType {}
extension Date: SortableType {}
extension UUID: SortableType {}
extension ObjectId: SortableType {}
extension AnyRealmValue: SortableType {}
extension Decimal128: SortableType {}
extension Optional: SortableType where Wrapped: SortableType & _OptionalPersistable {}
