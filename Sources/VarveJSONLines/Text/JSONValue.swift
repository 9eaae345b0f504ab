/// A parsed JSON text.
///
/// Numbers keep their digits, and objects the order of their members, so that nothing is rounded or lost.
indirect enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])
}

/// A member of a JSON object.
struct JSONMember: Equatable {
  var name: String
  var value: JSONValue
  /// Where the value stands in the line.
  var bytes: Range<Int>
}

extension JSONValue {
  /// The value as an error shows it.
  var text: String {
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
