/// A parsed JSON text.
///
/// Numbers keep their digits, and objects keep the order of their members, so no information is
/// lost.
package indirect enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])
}

/// A member of a JSON object.
package struct JSONMember: Equatable {
  package var name: String
  package var value: JSONValue
  /// The byte range of the value in the line.
  package var bytes: Range<Int>
}

extension JSONValue {
  /// The value as shown in an error.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .string(let string): string.debugDescription
    case .array(let elements): "array of \(elements.count)"
    case .object(let members):
      "{\(members.prefix(4).map { "\($0.name.debugDescription): …" }.joined(separator: ", "))}"
    }
  }
}
