import VarveCore
import VarveEncoding
import VarveStorage

extension TableReader {
  /// Returns the value of a property as the tool shows it: null for a default that no release of
  /// the program has made yet.
  ///
  /// - Throws: `.corrupted`.
  func shownValue(
    of row: RowReader, _ id: UInt64, _ property: StoredProperty, isVerified: Bool = false
  ) throws(Failure) -> Value {
    let value = try value(of: row, id, property, isVerified: isVerified)
    return property.lacksDefault(value) ? .null : value
  }
}
