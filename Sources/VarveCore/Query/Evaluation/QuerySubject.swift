import VarveEncoding

/// The object or value that a condition is evaluated for, or that a step of a path yields.
enum QuerySubject {
  /// An object whose row has been read.
  case row(RowReader, UInt64)
  /// A value, and the collection that contains it, if that collection may contain nested
  /// collections.
  case value(Value, StoredProperty?)
  case collection(CollectionContent, StoredProperty)
  /// An empty collection.
  case nothing
}
