package import Foundation
package import VarveEncoding

extension Value {
  /// The value as it appears in an error message or in the description of an object: on one line,
  /// and at most some hundred characters long.
  package var text: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value) where value.utf8.count > Blob.maximumBytes:
      "\(value.utf8.count) bytes"
    case .string(let value):
      (value.utf8.count > 200 ? value.prefix(100) + "…" : value[...]).debugDescription
    case .data(let value): "\(value.count) bytes"
    case .date(let value): value.text
    case .uuid(let value): value.uuidString
    case .objectId(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .link(let classID, let objectID): "object \(objectID) of class \(classID)"
    case .nested(let kind, _): "a \(kind == .dictionary ? "dictionary" : "list")"
    }
  }
}

extension Date {
  /// The years 1 to 9999, in seconds since 1970.
  private static let calendar = -62_135_596_800.0..<253_402_300_800.0

  /// The date in UTC. A date that is not finite, or outside of the years 1 to 9999, is given as its
  /// number, because Foundation's own description of it traps or is meaningless.
  package var text: String {
    Date.calendar.contains(timeIntervalSince1970)
      ? description : "Date(timeIntervalSinceReferenceDate: \(timeIntervalSinceReferenceDate))"
  }
}

extension String {
  /// The text with its control characters escaped, so that it neither breaks a line nor hides
  /// characters.
  package var printable: String {
    // The properties of a scalar are slow to look up.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Marks that reorder the text around them. The joiner of emoji, U+200D, is not one.
    case .format:
      [0x061C, 0x200E, 0x200F, 0xFEFF].contains(value) || (0x202A...0x202E).contains(value)
        || (0x2066...0x2069).contains(value)
    default: false
    }
  }
}
