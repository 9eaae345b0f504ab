extension PatternParser {
  /// Parses the quantifier after a part, if there is one.
  mutating func counted(_ part: PatternNode) throws(TextTest.Fault) -> PatternNode {
    let start = position
    guard let count = try takeCount() else { return part }
    _ = take("?")
    if peek() == "+" {
      throw fault(
        "Possessive quantifiers are not supported, because they reject matching texts.",
        at: position)
    }
    if let next = peek(), next == "*" || next == "?" || next == "{" {
      throw fault("A quantifier must not follow another quantifier.", at: position)
    }
    guard count.atMost.map({ $0 >= count.atLeast }) ?? true else {
      throw fault("The first number of a quantifier must not exceed the second.", at: start)
    }
    return .repeated(part, atLeast: count.atLeast, atMost: count.atMost)
  }

  private mutating func takeCount() throws(TextTest.Fault) -> (atLeast: Int, atMost: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = position
    guard take("{") else { return nil }
    guard let atLeast = try takeNumber() else {
      throw fault("A quantifier must be {n}, {n,} or {n,m}.", at: start)
    }
    var atMost: Int? = atLeast
    if take(",") { atMost = try takeNumber() }
    guard take("}") else { throw fault("A quantifier must be {n}, {n,} or {n,m}.", at: start) }
    return (atLeast, atMost)
  }

  private mutating func takeNumber() throws(TextTest.Fault) -> Int? {
    let start = position
    var number = 0
    while let scalar = peek(), ("0"..."9").contains(scalar) {
      number = number * 10 + Int(scalar.value - 0x30)
      guard number <= PatternProgram.maximumLength else {
        throw fault("A quantifier must be at most 20,000.", at: start)
      }
      position += 1
    }
    return position == start ? nil : number
  }
}
