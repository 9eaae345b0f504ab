import Foundation

/// Values of a variable length: strings and data.
enum VariableValue {
  /// Decodes a string or data; the type is `string` or `data`.
  ///
  /// - Throws: `badText` for a string that is not UTF-8.
  static func value(
    _ type: PropertyType, _ bytes: UnsafeRawBufferPointer
  ) throws(FormatError) -> Value {
    type == .string ? .string(try UTF8Text.string(bytes)) : .data(Data(bytes))
  }
}
