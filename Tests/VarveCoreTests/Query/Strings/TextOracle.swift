import VarveCore

/// The results of string comparisons, computed the slow way.
enum TextOracle {
  static func matches(
    _ operation: Condition.Operation, _ text: String, _ operand: String, _ folding: TextFolding
  ) -> Bool {
    let text = scalars(text, folding)
    if operation == .like { return isLike(text[...], parts(operand, folding)[...]) }
    let part = scalars(operand, folding)
    switch operation {
    case .equal: return text == part
    case .beginsWith: return !part.isEmpty && text.starts(with: part)
    case .endsWith: return !part.isEmpty && text.reversed().starts(with: part.reversed())
    default:
      return !part.isEmpty && text.indices.contains { text[$0...].starts(with: part) }
    }
  }

  static func scalars(_ text: String, _ folding: TextFolding) -> [UInt32] {
    folding.fold(text).unicodeScalars.map(\.value)
  }

  private enum Part { case scalar(UInt32), one, any }

  private static func parts(_ pattern: String, _ folding: TextFolding) -> [Part] {
    var parts: [Part] = []
    var literal = ""
    for scalar in pattern.unicodeScalars {
      if scalar == "*" || scalar == "?" {
        parts += scalars(literal, folding).map { .scalar($0) } + [scalar == "*" ? .any : .one]
        literal = ""
      } else {
        literal.unicodeScalars.append(scalar)
      }
    }
    return parts + scalars(literal, folding).map { .scalar($0) }
  }

  private static func isLike(_ text: ArraySlice<UInt32>, _ parts: ArraySlice<Part>) -> Bool {
    switch parts.first {
    case nil: text.isEmpty
    case .one: !text.isEmpty && isLike(text.dropFirst(), parts.dropFirst())
    case .scalar(let scalar):
      text.first == scalar && isLike(text.dropFirst(), parts.dropFirst())
    case .any:
      isLike(text, parts.dropFirst()) || !text.isEmpty && isLike(text.dropFirst(), parts)
    }
  }
}
