import Foundation
import VarveEncoding

extension Value {
  /// The value as a literal of the predicate language, which parses to the same value, except for
  /// objects and collections.
  var literal: String {
    switch self {
    case .null: "NULL"
    case .bool(let value): value ? "TRUE" : "FALSE"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value.quoted
    case .data(let value): "B64\"\(value.base64EncodedString())\""
    case .date(let value): value.literal
    case .uuid(let value): "uuid(\(value.uuidString))"
    case .objectId(let value): "oid(\(value))"
    case .decimal(let value): "decimal(\(value))"
    case .link, .nested: text
    }
  }
}

extension Date {
  /// Dates of whole seconds with a four-digit year are written as date and time in UTC, other dates
  /// as seconds since 2001.
  fileprivate var literal: String {
    let seconds = timeIntervalSinceReferenceDate
    guard seconds == seconds.rounded(), text.count == 25, text.hasSuffix(" +0000") else {
      return "date(\(seconds))"
    }
    return String(text.dropLast(6)).replacing(" ", with: "@")
  }
}

extension String {
  /// The text as a quoted string literal with escapes.
  fileprivate var quoted: String {
    var quoted = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\0"..<" ", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
        quoted += "\\u{\(String(scalar.value, radix: 16))}"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The text as a name in a predicate, escaped with `#` if it would be parsed as something else.
  func escapedName(isFirst: Bool) -> String {
    // The variable of a subquery.
    if isFirst, self == "$x" { return self }
    guard let first = unicodeScalars.first, first.isNameStart,
      unicodeScalars.allSatisfy(\.isNamePart)
    else { return "#" + quoted }
    let keyword = isFirst ? PredicateKeyword(rawValue: lowercased()) : nil
    return keyword?.beginsOperand == true ? "#" + self : self
  }
}
