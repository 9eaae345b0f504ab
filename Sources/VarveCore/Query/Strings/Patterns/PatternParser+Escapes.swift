extension PatternParser {
  /// The meaning of an escape sequence.
  enum Escape {
    case scalar(Unicode.Scalar)
    case item(PatternSet.Item)
  }

  /// Parses an escape sequence, after its backslash.
  mutating func escape(_ start: Int) throws(TextTest.Fault) -> PatternNode {
    switch peek() {
    case "A":
      position += 1
      return .start
    case "z":
      position += 1
      return .end
    default: break
    }
    switch try takeEscape(start) {
    case .scalar(let scalar): return literal(scalar)
    case .item(let item): return .set(PatternSet([item], folding: folding))
    }
  }

  mutating func takeEscape(_ start: Int) throws(TextTest.Fault) -> Escape {
    guard let scalar = peek() else { throw fault("The pattern ends after a backslash.", at: start) }
    position += 1
    switch scalar {
    case "t": return .scalar("\t")
    case "n": return .scalar("\n")
    case "r": return .scalar("\r")
    case "f": return .scalar("\u{0C}")
    case "d", "D": return .item(.digit(isNegated: scalar == "D"))
    case "s", "S": return .item(.space(isNegated: scalar == "S"))
    case "w", "W": return .item(.word(isNegated: scalar == "W"))
    case "p", "P": return .item(.categories(try takeCategories(start, isNegated: scalar == "P")))
    case "u": return .scalar(try takeCode(start, digits: 4))
    case "x": return .scalar(try takeCode(start, digits: 2))
    case "0"..."9", "k":
      throw fault(
        "Back references are not supported, because their matching time is unbounded.", at: start)
    case "a"..."z", "A"..."Z": throw fault("This escape sequence is not supported.", at: start)
    default: return .scalar(scalar)
    }
  }

  /// Parses `{L}` after the letter `p` or `P`.
  private mutating func takeCategories(
    _ start: Int, isNegated: Bool
  ) throws(TextTest.Fault) -> UInt32 {
    guard let name = takeBraced(), let mask = GeneralCategories.mask(named: name) else {
      throw fault("A general category is expected, as in \\p{Lu} or \\p{L}.", at: start)
    }
    return isNegated ? ~mask & GeneralCategories.all : mask
  }

  /// Parses the code of a scalar after the letter: the given number of digits, or up to six digits
  /// in braces.
  private mutating func takeCode(
    _ start: Int, digits: Int
  ) throws(TextTest.Fault) -> Unicode.Scalar {
    var code = ""
    if peek() == "{" {
      code = takeBraced() ?? ""
    } else {
      while code.unicodeScalars.count < digits, let scalar = peek() {
        code.unicodeScalars.append(scalar)
        position += 1
      }
      if code.unicodeScalars.count < digits { code = "" }
    }
    guard code.unicodeScalars.allSatisfy(\.isHexDigit),
      let scalar = UInt32(code, radix: 16).flatMap({ Unicode.Scalar($0) })
    else {
      throw fault(
        "The code of a Unicode scalar is expected, as in \\u00E9 or \\u{1F600}.", at: start)
    }
    return scalar
  }

  /// Parses the text in braces, of at most six scalars. Returns nil if it is empty or there is no
  /// brace.
  private mutating func takeBraced() -> String? {
    guard take("{") else { return nil }
    var text = String.UnicodeScalarView()
    while let scalar = peek(), scalar != "}", text.count < 6 {
      text.append(scalar)
      position += 1
    }
    return take("}") && !text.isEmpty ? String(text) : nil
  }
}
