@testable import VarveEncoding

extension IndexEntry {
  /// The indexed value, from the key or, if that was cut, from the whole bytes.
  func indexedValue() throws(FormatError) -> Value {
    switch keyValue {
    case .value(let value): return value
    case .cut(let type, _):
      return try VariableValue.value(
        type, wholeBytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}
