/// One paragraph of a Debian control file, with its fields in the order of the file.
struct ControlParagraph: Equatable, Sendable {
  /// The name of a field, in its original case, and its value, with continuation lines joined by
  /// newlines.
  struct Field: Equatable, Sendable {
    var name: String
    var value: String
  }

  var fields: [Field] = []

  /// The value of the first field with a name, compared without regard to case.
  ///
  /// - Complexity: O(the number of fields).
  subscript(name: String) -> String? {
    fields.first { Self.isSame($0.name, name) }?.value
  }

  /// Compares without lower-case copies: names are ASCII, and most of them differ in length.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count
      && zip(one.utf8, other.utf8).allSatisfy { lowercase($0) == lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
