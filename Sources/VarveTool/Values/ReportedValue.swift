import VarveCore
import VarveEncoding
import VarveJSONLines

/// The value of a property.
enum ReportedValue: Sendable {
  case value(Value)
  /// Another object: its class, its primary key if it has one, and its id.
  case object(className: String, primaryKey: Value?, objectID: UInt64)
  case collection(CollectionSummary)
  /// A whole value, as JSON.
  case json(String)
}

/// A list or map.
struct CollectionSummary: Equatable, Sendable {
  /// The number of elements.
  var count: Int
  /// The numbers of deleted, inserted, and replaced or modified elements; zero if two versions are
  /// not compared.
  var deletions = 0
  var insertions = 0
  var modifications = 0
}

extension ReportedValue {
  /// The value on one line.
  var text: String {
    switch self {
    case .value(.null): "null"
    case .value(.date(let date)): JSONScalar.plainText(of: .date(date))
    case .value(.string(let text)): Value.string(text.cut).text.printable
    case .value(let value): value.text.printable
    case .object(let className, let key, let id): "\(className) \(key?.text.printable ?? "#\(id)")"
    case .collection(let summary): summary.text
    case .json(let text): text.cut.printable
    }
  }
}

extension CollectionSummary {
  /// The number of elements, and the numbers of changes in parentheses.
  var text: String {
    var parts: [String] = []
    if deletions > 0 { parts.append("−\(Quantity.count(deletions))") }
    if insertions > 0 { parts.append("+\(Quantity.count(insertions))") }
    if modifications > 0 { parts.append("\(Quantity.count(modifications)) changed") }
    let changes = parts.isEmpty ? "" : " (\(parts.joined(separator: " ")))"
    return Quantity.count(count, "element") + changes
  }
}

extension String {
  /// At most 200 characters, with an ellipsis for the rest.
  var cut: String {
    // No character is shorter than a byte.
    utf8.count > 200 && count > 200 ? prefix(199) + "…" : self
  }
}
