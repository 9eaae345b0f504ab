/// A node of a parsed regular expression.
indirect enum PatternNode: Sendable {
  /// A sequence of folded scalars.
  case literal([UInt32])
  case set(PatternSet)
  case start, end
  case sequence([PatternNode])
  case choice([PatternNode])
  case repeated(PatternNode, atLeast: Int, atMost: Int?)

  static let empty = PatternNode.literal([])

  /// The number of instructions that the node compiles to, saturated at
  /// `PatternProgram.maximumLength + 1`.
  ///
  /// - Complexity: O(size of the node), not O(instructions). The parser limits the nesting.
  var size: Int {
    let size =
      switch self {
      case .literal(let scalars): scalars.count
      case .set, .start, .end: 1
      case .sequence(let parts): Self.sum(parts)
      case .choice(let parts): Self.sum(parts) + 2 * (parts.count - 1)
      case .repeated(let part, let atLeast, let atMost):
        // No overflow is possible: the sizes of parts and the counts are at most the limit plus
        // one.
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
