import VarveEncoding

/// Parses paths, subqueries and suffixes.
extension PredicateParser {
  private typealias Component = TextPredicate.Path.Component

  private static let quantifiers: [PredicateKeyword: Condition.Quantifier] = [
    .any: .any, .some: .any, .all: .all, .none: .none,
  ]

  /// Parses a path with an optional quantifier.
  mutating func path() throws(TextPredicateError) -> TextPredicate.Path {
    let position = position
    var quantifier: TextPredicate.Path.Quantifier?
    if let keyword = token.keyword, let kind = Self.quantifiers[keyword], following.beginsPath {
      quantifier = .init(kind: kind, position: position)
      advance()
    }
    var path = TextPredicate.Path(
      quantifier: quantifier, components: [], position: self.position)
    try start(&path)
    while true {
      if token.isSign(".") {
        advance()
        let component = try component()
        path.components.append(component)
      } else if token.isSign("[") {
        try addBrackets(to: &path)
      } else {
        break
      }
      guard path.components.count <= QueryPath.maximumCount else {
        throw unexpected("A path can have at most \(QueryPath.maximumCount) steps.")
      }
    }
    return path
  }

  private mutating func start(_ path: inout TextPredicate.Path) throws(TextPredicateError) {
    switch token.kind {
    case .variable(let name):
      path.variable = name
      advance()
    case .nameArgument(let number):
      let position = position
      let argument = try argument(number)
      guard case .value(.string(let text)) = argument else {
        throw TextPredicateError(message: "The argument of %K must be a name.", position: position)
      }
      path.components = try Self.components(of: text, at: position)
      advance()
    case .word where token.keyword == .self: advance()
    case .word where !beginsName:
      throw unexpected("The name of a property is expected here.")
    case .word, .name, .collectionWord: path.components.append(try component())
    default:
      throw unexpected("The name of a property, or a value, is expected here.")
    }
  }

  /// Whether a word at the start of an operand is a name.
  private var beginsName: Bool {
    guard let keyword = token.keyword, keyword.isBetween || keyword == .not else { return true }
    return !following.beginsOperand || following.isSign("(") == false && following.isSign("!")
  }

  private static func components(
    of text: String, at position: Int
  ) throws(TextPredicateError) -> [Component] {
    if text.lowercased() == "self" { return [] }
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    guard names.count <= QueryPath.maximumCount else {
      throw TextPredicateError(
        message: "A path can have at most \(QueryPath.maximumCount) steps.", position: position)
    }
    return names.map { name in
      Component(
        step: name.hasPrefix("@") ? .word(String(name)) : .name(String(name)), position: position)
    }
  }

  /// Parses a name, or a word with `@`.
  private mutating func component() throws(TextPredicateError) -> Component {
    let position = position
    let step: TextPredicate.Path.Step
    switch token.kind {
    case .word(let name), .name(let name): step = .name(name)
    case .collectionWord(let word): step = .word(word)
    default: throw unexpected("A name is expected here.")
    }
    advance()
    return Component(step: step, position: position)
  }

  /// Parses an index of a list, a key of a dictionary, or a wildcard, in brackets.
  private mutating func addBrackets(
    to path: inout TextPredicate.Path
  ) throws(TextPredicateError) {
    advance()
    let position = position
    let step: TextPredicate.Path.Step
    if token.isSign("*") {
      step = .each
    } else if case .integer(let index) = token.kind, let index = Int64(exactly: index) {
      step = .index(index)
    } else if case .string(let key) = token.kind {
      step = .key(key)
    } else if case .argument(let number) = token.kind {
      step = try Self.bracketed(try argument(number), at: position)
    } else if case .name(let name) = token.kind, ["any", "all"].contains(name.lowercased()) {
      step = .each
    } else {
      switch token.keyword {
      case .first: step = .first
      case .last: step = .last
      case .size: step = .size
      default:
        throw unexpected(
          "An index, FIRST, LAST, SIZE, * or a key in quotes is expected here.")
      }
    }
    advance()
    guard take("]") else { throw unexpected("A closing bracket is expected here.") }
    path.components.append(Component(step: step, position: position))
  }

  private static func bracketed(
    _ argument: Argument, at position: Int
  ) throws(TextPredicateError) -> TextPredicate.Path.Step {
    switch argument {
    case .value(.string(let key)): return .key(key)
    case .value(.int(let index)) where index >= 0: return .index(index)
    default:
      throw TextPredicateError(
        message: "The argument must be an index from 0 or a key.", position: position)
    }
  }

  /// Parses `SUBQUERY(path, $variable, condition).@count`.
  mutating func subquery() throws(TextPredicateError) -> TextPredicate.Expression {
    try checkDepthOrStop()
    depth += 1
    defer { depth -= 1 }
    let position = position
    advance()
    advance()
    let collection = try path()
    guard take(",") else { throw unexpected("A comma is expected here.") }
    guard case .variable(let variable) = token.kind else {
      throw unexpected("A variable such as $x is expected here.")
    }
    advance()
    guard take(",") else { throw unexpected("A comma is expected here.") }
    let condition = predicate(node())
    guard take(")") else { throw unexpected("A closing parenthesis is expected here.") }
    guard take("."), case .collectionWord(let word) = token.kind,
      ["@count", "@size"].contains(word.lowercased())
    else { throw unexpected("A SUBQUERY must be followed by .@count.") }
    advance()
    return TextPredicate.Expression(
      .subquery(.init(collection: collection, variable: variable, condition: condition)),
      at: position)
  }

  /// Parses `SORT(…)`, `DISTINCT(…)` or `LIMIT(…)`.
  mutating func suffix() throws(TextPredicateError) -> ParsedPredicate.Suffix {
    let keyword = token.keyword
    advance()
    advance()
    let suffix: ParsedPredicate.Suffix
    switch keyword {
    case .limit: suffix = .limit(try limit())
    case .sort:
      var keys: [ParsedPredicate.Suffix.Key] = []
      repeat { keys.append(try sortKey()) } while take(",")
      suffix = .sort(keys)
    default:
      var paths: [TextPredicate.Path] = []
      repeat { paths.append(try path()) } while take(",")
      suffix = .distinct(paths)
    }
    guard take(")") else {
      throw unexpected("A comma or a closing parenthesis is expected here.")
    }
    return suffix
  }

  private mutating func sortKey() throws(TextPredicateError) -> ParsedPredicate.Suffix.Key {
    let path = try path()
    let isDescending = take(.desc, .descending)
    if !isDescending { _ = take(.asc, .ascending) }
    return .init(path: path, isAscending: !isDescending)
  }

  private mutating func limit() throws(TextPredicateError) -> Int {
    let start = token
    guard let literal = try literal(), case .value(.int(let count)) = literal.content, count >= 0
    else { throw unexpected("A number from 0 is expected here.", at: start) }
    return Int(count)
  }
}
