import VarveEncoding

/// The key of a read through a view, so that reads of the same content are tracked once.
enum TrackedKey: Hashable, Sendable {
  /// A property of an object. For a list or map, its contents.
  case property(model: Int, slot: Int, id: UInt64)
  /// Whether an object exists.
  case existence(model: Int, id: UInt64)
  /// The object with a primary key.
  case primaryKey(model: Int, Value)
  /// The set of objects of a class.
  case allObjects(model: Int)
  /// The results of a query, by the number of the results, and the property that was read of its
  /// objects, if any.
  case results(UInt64, path: [String])
}
