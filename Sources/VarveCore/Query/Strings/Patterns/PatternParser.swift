/// A parser of regular expressions. It supports the part of ICU's syntax that is common in
/// predicates.
///
/// - Literals. `.` matches any scalar except line terminators. `^` and `$`, `\A` and `\z` match the
///   start and the end of the text.
/// - `[a-z]`, `[^…]`, with escapes in them; `\d` `\s` `\w` and `\D` `\S` `\W`; `\p{Lu}` and `\P{…}`
///   with general categories, their groups (`L`, `N`, `P` …) and `LC`.
/// - `\t` `\n` `\r` `\f`, `\xHH`, `\x{…}`, `\uXXXX`, `\u{…}`. A backslash before any other
///   character that is not an ASCII letter or digit matches that character.
/// - `(…)`, `(?:…)`, `|`; `*`, `+`, `?`, `{n}`, `{n,}`, `{n,m}`. A `?` after a quantifier has no
///   effect, because a pattern always matches the whole text.
/// - At the start, `(?i)` and `(?s)`, or both: case is ignored; `.` matches any scalar.
///
/// All other syntax is rejected: back references, look-around, possessive quantifiers, named
/// groups, word boundaries, set operations in classes.
///
/// With a folding, literals and the members of classes are folded like texts. A letter with the
/// marks or Hangul vowels that follow it is then a single part, to which a quantifier applies.
struct PatternParser {
  /// The maximum number of scalars of a pattern.
  static let maximumCount = 10_000
  /// The maximum nesting depth of groups.
  static let maximumDepth = 100

  let pattern: [Unicode.Scalar]
  var position = 0
  private(set) var folding: TextFolding
  private var isLineless = false
  private var depth = 0

  /// Parses a pattern.
  ///
  /// - Returns: The root node, and the folding extended by the flags of the pattern.
  /// - Throws: A fault with its position.
  /// - Complexity: O(`pattern`).
  static func parse(
    _ pattern: String, folding: TextFolding
  ) throws(TextTest.Fault) -> (PatternNode, TextFolding) {
    var parser = PatternParser(pattern: Array(pattern.unicodeScalars), folding: folding)
    guard parser.pattern.count <= maximumCount else {
      throw parser.fault("A pattern can have at most 10,000 Unicode scalars.", at: maximumCount)
    }
    try parser.takeFlags()
    let root = try parser.choice()
    // Only a closing parenthesis ends a choice early.
    guard parser.position == parser.pattern.count else {
      throw parser.fault(
        "This closing parenthesis has no opening parenthesis.", at: parser.position)
    }
    return (root, parser.folding)
  }

  /// A fault at a scalar. Its position is converted to characters.
  func fault(_ message: String, at scalar: Int) -> TextTest.Fault {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: pattern)
    var (passed, position) = (0, 0)
    for character in String(text) {
      passed += character.unicodeScalars.count
      if passed > scalar { break }
      position += 1
    }
    return TextTest.Fault(message: message, position: position)
  }

  func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < pattern.count ? pattern[position + offset] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  /// Parses `(?i)`, `(?s)` or `(?is)` at the start.
  private mutating func takeFlags() throws(TextTest.Fault) {
    guard peek() == "(", peek(1) == "?", let flag = peek(2), flag == "i" || flag == "s" else {
      return
    }
    position = 2
    while let flag = peek() {
      switch flag {
      case "i": folding.insert(.caseless)
      case "s": isLineless = true
      case ")":
        position += 1
        return
      default:
        throw fault("Flags must be (?i), (?s) or (?is), for the whole pattern.", at: position)
      }
      position += 1
    }
    throw fault("The flags have no closing parenthesis.", at: position)
  }

  /// Parses alternatives separated by bars.
  private mutating func choice() throws(TextTest.Fault) -> PatternNode {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(TextTest.Fault) -> PatternNode {
    var parts: [PatternNode] = []
    while let scalar = peek(), scalar != "|", scalar != ")" {
      let part = try atom(scalar)
      parts.append(try counted(part))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func atom(_ scalar: Unicode.Scalar) throws(TextTest.Fault) -> PatternNode {
    let start = position
    position += 1
    switch scalar {
    case "(": return try group(start)
    case "[": return try bracketed(start)
    case "\\": return try escape(start)
    case ".": return .set(anything)
    case "^": return .start
    case "$": return .end
    case "*", "+", "?":
      throw fault("There is nothing before the quantifier to repeat.", at: start)
    case "{":
      throw fault("A brace that is not a quantifier must be escaped with a backslash.", at: start)
    default: return literal(scalar)
    }
  }

  private var anything: PatternSet {
    isLineless
      ? PatternSet([], isNegated: true)
      : PatternSet(
        [.range(10...13), .range(0x85...0x85), .range(0x2028...0x2029)], isNegated: true)
  }

  /// Parses a literal scalar, together with the scalars that compose with it if texts are folded.
  mutating func literal(_ scalar: Unicode.Scalar) -> PatternNode {
    guard !folding.isEmpty else { return .literal([scalar.value]) }
    var text = String.UnicodeScalarView([scalar])
    while let next = peek(), Self.joins(next) {
      text.append(next)
      position += 1
    }
    return .literal(folding.fold(String(text)).unicodeScalars.map(\.value))
  }

  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: false
    case 0x1160...0x11FF: true
    default: scalar.properties.generalCategory == .nonspacingMark
    }
  }

  private mutating func group(_ start: Int) throws(TextTest.Fault) -> PatternNode {
    if take("?"), !take(":") {
      throw fault(
        "Groups must be (…) or (?:…), without look-around, names or inline flags.",
        at: start)
    }
    guard depth < Self.maximumDepth else {
      throw fault("Groups are nested more than 100 deep.", at: start)
    }
    depth += 1
    let inner = try choice()
    depth -= 1
    guard take(")") else { throw fault("This parenthesis is not closed.", at: start) }
    return inner
  }
}
