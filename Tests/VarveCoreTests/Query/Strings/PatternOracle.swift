import VarveCore
import VarveTestSupport

/// Regular expressions, matched by computing the set of positions where each part may end.
indirect enum PatternOracle {
  case scalar(String)
  case any
  case set([String], isNegated: Bool)
  case sequence([PatternOracle])
  case choice([PatternOracle])
  case repeated(PatternOracle, Int, Int?)
  case start, end

  static let alphabet = ["a", "A", "b", "é", "É", "e", "ß", "s", "S", "ς", "Σ", "한", "😀", "\n"]
  private static let members = ["a", "A", "b", "é", "É", "e", "s", "ς", "한", "😀", "\n"]

  static func random(_ depth: Int, _ random: inout SeededRandom) -> PatternOracle {
    if depth == 0 || random.oneIn(3) {
      return switch random.below(10) {
      case 0: .any
      case 1: random.chance(50) ? .start : .end
      case 2, 3:
        .set((0...random.below(3)).map { _ in random.pick(members) }, isNegated: random.chance(30))
      default: .scalar(random.pick(alphabet))
      }
    }
    switch random.below(3) {
    case 0: return .sequence((0..<random.below(4)).map { _ in Self.random(depth - 1, &random) })
    case 1: return .choice((0...random.below(3)).map { _ in Self.random(depth - 1, &random) })
    default:
      let least = random.below(3)
      let most: Int? = random.chance(50) ? nil : least + random.below(3)
      return .repeated(Self.random(depth - 1, &random), least, most)
    }
  }

  var text: String {
    switch self {
    case .scalar(let scalar): scalar
    case .any: "."
    case .set(let members, let isNegated): "[\(isNegated ? "^" : "")\(members.joined())]"
    case .sequence(let parts): parts.map { "(?:\($0.text))" }.joined()
    case .choice(let parts): parts.map(\.text).joined(separator: "|")
    case .repeated(let part, let least, nil) where least == 0: "(\(part.text))*"
    case .repeated(let part, let least, nil) where least == 1: "(\(part.text))+"
    case .repeated(let part, let least, nil): "(\(part.text)){\(least),}"
    case .repeated(let part, let least, let most?): "(\(part.text)){\(least),\(most)}"
    case .start: "^"
    case .end: "$"
    }
  }

  func matches(_ text: String, _ folding: TextFolding) -> Bool {
    let scalars = TextOracle.scalars(text, folding)
    return ends(scalars, 0, folding).contains(scalars.count)
  }

  private func ends(_ text: [UInt32], _ position: Int, _ folding: TextFolding) -> Set<Int> {
    switch self {
    case .scalar(let scalar):
      let wanted = TextOracle.scalars(scalar, folding)
      return text[position...].starts(with: wanted) ? [position + wanted.count] : []
    case .any: return position < text.count && text[position] != 10 ? [position + 1] : []
    case .set(let members, let isNegated):
      let wanted = members.flatMap { TextOracle.scalars($0, folding) }
      return position < text.count && wanted.contains(text[position]) != isNegated
        ? [position + 1] : []
    case .sequence(let parts):
      var ends: Set<Int> = [position]
      for part in parts { ends = Set(ends.flatMap { part.ends(text, $0, folding) }) }
      return ends
    case .choice(let parts): return Set(parts.flatMap { $0.ends(text, position, folding) })
    case .repeated(let part, let least, let most):
      return repeatedEnds(part, least, most ?? least + text.count + 1, text, position, folding)
    case .start: return position == 0 ? [position] : []
    case .end: return position == text.count ? [position] : []
    }
  }

  private func repeatedEnds(
    _ part: PatternOracle, _ least: Int, _ most: Int, _ text: [UInt32], _ position: Int,
    _ folding: TextFolding
  ) -> Set<Int> {
    var ends: Set<Int> = [position]
    var all: Set<Int> = least == 0 ? ends : []
    for count in 0..<most {
      ends = Set(ends.flatMap { part.ends(text, $0, folding) })
      if count + 1 >= least { all.formUnion(ends) }
    }
    return all
  }
}
