import VarveCore
import VarveEncoding
import VarveStorage

/// One value of a row of output.
enum Cell {
  /// The id of an object in the file.
  case id(UInt64)
  /// A number of objects.
  case count(Int)
  /// A value, with the property that it belongs to.
  case value(Value, StoredProperty)
  /// A long string or data that has not been read.
  case blob(StoredValue, StoredProperty)
  case collection(CollectionContent, StoredProperty)
}

/// A column of output.
struct Column {
  var title: String
  /// Whether the column contains numbers.
  var isNumeric = false
}
