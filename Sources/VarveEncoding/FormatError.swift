/// An error in encoded bytes, or a value that the format cannot represent.
///
/// The message is a constant, and the variables are in the fields, so that logs group.
@usableFromInline
package struct FormatError: Error, Equatable, Sendable {
  /// The kind of error.
  @usableFromInline
  package enum Reason: String, Sendable {
    /// The bytes end before the value does.
    case truncated
    /// A length, count or offset is inconsistent with the bytes.
    case badLength
    /// The stored checksum differs from the checksum of the bytes.
    case badChecksum
    /// A type number, kind or marker is undefined.
    case badTag
    /// A field has a value that no writer stores.
    case badValue
    /// Text that is not UTF-8.
    case badText
    /// The record has another layout or element format than the requested one.
    case wrongLayout
    /// Written by a newer version of the format, or a reserved type number.
    case unsupported
    /// Bytes follow the end of the record.
    case trailingBytes
    /// A value of another type than the field's, or out of the field's range.
    case typeMismatch
  }

  /// The fields, in a box: a thrown error is one word, so that decoders that do not throw stay
  /// small.
  private final class Box: Sendable {
    let reason: Reason
    let message: StaticString
    let offset: Int?
    let expected: UInt64?
    let found: UInt64?

    init(
      _ reason: Reason, _ message: StaticString, _ offset: Int?, _ expected: UInt64?,
      _ found: UInt64?
    ) {
      self.reason = reason
      self.message = message
      self.offset = offset
      self.expected = expected
      self.found = found
    }
  }

  private let box: Box

  @usableFromInline @inline(never)
  package init(
    _ reason: Reason, _ message: StaticString, offset: Int? = nil, expected: UInt64? = nil,
    found: UInt64? = nil
  ) {
    box = Box(reason, message, offset, expected, found)
  }

  package var reason: Reason { box.reason }
  /// A constant sentence.
  package var message: StaticString { box.message }
  /// The offset in the record, in bytes from its start.
  @usableFromInline package var offset: Int? { box.offset }
  package var expected: UInt64? { box.expected }
  package var found: UInt64? { box.found }

  /// Compares all fields but the message, which only describes the reason.
  @usableFromInline
  package static func == (a: FormatError, b: FormatError) -> Bool {
    a.reason == b.reason && a.offset == b.offset && a.expected == b.expected && a.found == b.found
  }
}

extension FormatError: CustomStringConvertible {
  @usableFromInline
  package var description: String {
    var text = "\(reason.rawValue): \(message)"
    if let offset { text += ", at byte \(offset)" }
    if let expected { text += ", expected \(expected)" }
    if let found { text += ", found \(found)" }
    return text
  }
}
