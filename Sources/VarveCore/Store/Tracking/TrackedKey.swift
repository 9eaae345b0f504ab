import VarveEncoding

/// What was read through a view, so that reads of the same thing are tracked once.
enum TrackedKey: Hashable, Sendable {
  /// A property of an object; of a list or map its contents.
  case property(model: Int, slot: Int, id: UInt64)
  /// Whether an object exists.
  case existence(model: Int, id: UInt64)
  /// Which object has a primary key.
  case primaryKey(model: Int, Value)
  /// Which objects of a class there are.
  case allObjects(model: Int)
  /// What a query gives, by the number of the results, and the property that was read of its objects, if any.
  case results(UInt64, path: [String])
}
