extension PatternParser {
  /// Parses a character class, after its opening bracket.
  mutating func bracketed(_ start: Int) throws(TextTest.Fault) -> PatternNode {
    let isNegated = take("^")
    var items: [PatternSet.Item] = []
    // The members whose folded forms have more than one scalar.
    var longer: [PatternNode] = []
    guard peek() != "]" else {
      throw fault("A character class must have at least one member.", at: start)
    }
    while !take("]") {
      guard peek() != nil else { throw fault("This bracket is not closed.", at: start) }
      switch try takeMember(start) {
      case .item(let item): items.append(item)
      case .scalar(let first):
        if let last = try takeEndOfRange(first) {
          items.append(.range(first.value...last))
        } else {
          add(literal(first), &items, &longer)
        }
      }
    }
    let set = PatternNode.set(PatternSet(items, isNegated: isNegated, folding: folding))
    return isNegated || longer.isEmpty ? set : .choice([set] + longer)
  }

  private func add(
    _ member: PatternNode, _ items: inout [PatternSet.Item], _ longer: inout [PatternNode]
  ) {
    guard case .literal(let scalars) = member else { return }
    if scalars.count == 1 {
      items.append(.range(scalars[0]...scalars[0]))
    } else if !scalars.isEmpty {
      longer.append(member)
    }
  }

  private mutating func takeMember(_ start: Int) throws(TextTest.Fault) -> Escape {
    let memberStart = position
    guard let scalar = peek() else { throw fault("This bracket is not closed.", at: start) }
    position += 1
    switch scalar {
    case "\\": return try takeEscape(memberStart)
    case "[":
      throw fault(
        "A bracket in a character class must be escaped with a backslash.", at: memberStart)
    case "&" where peek() == "&", "-" where peek() == "-":
      throw fault(
        "Intersection and subtraction of character classes are not supported.", at: memberStart)
    default: return .scalar(scalar)
    }
  }

  /// Parses the end of a range that begins with a scalar. Returns nil if there is no range.
  private mutating func takeEndOfRange(
    _ first: Unicode.Scalar
  ) throws(TextTest.Fault) -> UInt32? {
    guard peek() == "-", let next = peek(1), next != "]" else { return nil }
    let start = position
    position += 1
    guard case .scalar(let last) = try takeMember(start), last.value >= first.value else {
      throw fault("The end of a range must not be less than its start.", at: start)
    }
    return last.value
  }
}
