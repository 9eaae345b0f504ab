/// Stored text: UTF-8, compared byte by byte everywhere.
package enum UTF8Text {
  /// The string that the bytes spell.
  ///
  /// - Throws: `badText` if they are not UTF-8.
  package static func string(_ bytes: UnsafeRawBufferPointer) throws(FormatError) -> String {
    let text = bytes.withMemoryRebound(to: UInt8.self) {
      String(validating: $0, as: UTF8.self)
    }
    guard let text else { throw FormatError(.badText, "text is not UTF-8") }
    return text
  }
}
