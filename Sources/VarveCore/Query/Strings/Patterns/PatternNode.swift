/// A part of a regular expression, as parsed.
indirect enum PatternNode: Sendable {
  /// Scalars one after another, folded.
  case literal([UInt32])
  case set(PatternSet)
  case start, end
  case sequence([PatternNode])
  case choice([PatternNode])
  case repeated(PatternNode, atLeast: Int, atMost: Int?)

  static let empty = PatternNode.literal([])

  /// How many instructions the part makes; so many that they are beyond every bound count as
  /// `PatternProgram.maximumLength + 1`.
  ///
  /// - Complexity: O(the part), not O(the instructions). The nesting is bounded by the parser.
  var size: Int {
    let size =
      switch self {
      case .literal(let scalars): scalars.count
      case .set, .start, .end: 1
      case .sequence(let parts): Self.sum(parts)
      case .choice(let parts): Self.sum(parts) + 2 * (parts.count - 1)
      case .repeated(let part, let atLeast, let atMost):
        // No sum overflows: a part has at most the bound and one more, and so have the counts.
        if let atMost {
          part.size * atLeast + (part.size + 1) * (atMost - atLeast)
        } else {
          part.size * max(1, atLeast) + 2
        }
      }
    return min(size, PatternProgram.maximumLength + 1)
  }

  private static func sum(_ parts: [PatternNode]) -> Int {
    var sum = 0
    for part in parts { sum = min(sum + part.size, PatternProgram.maximumLength + 1) }
    return sum
  }
}
