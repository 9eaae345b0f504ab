/// Reads a predicate from its text.
///
/// After an error it goes on behind the next `AND`, `OR`, comma or parenthesis, so that a text gives all its errors.
/// The grammar is in `Docs/Predicates.md`.
package struct PredicateParser {
  /// How deep parentheses, `NOT`, signs and subqueries may be nested.
  ///
  /// A level takes some kilobytes of stack while it is read, without optimisation up to sixteen.
  package static let maximumDepth = 100
  /// How many bytes a text may have.
  package static let maximumLength = 10_000_000
  /// How many values may stand in braces.
  package static let maximumListCount = 100_000
  /// How many values an argument may have that is a sequence.
  package static let maximumArgumentCount = 1_000_000
  /// So many errors are told at most.
  package static let maximumErrorCount = 10

  typealias Token = PredicateToken
  typealias Argument = TextPredicate.Literal.Content

  private var lexer: PredicateLexer
  private(set) var token: Token
  private(set) var following: Token
  /// How many parentheses were opened and not closed.
  private(set) var openCount = 0
  let arguments: [Argument]
  /// Which arguments were taken.
  private var taken: [Bool]
  private var nextArgument = 0
  var depth = 0
  private(set) var errors: [TextPredicateError] = []
  /// Whether nothing is told any more.
  private var isStopped = false

  /// Reads a predicate.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - arguments: What stands in the places of `%@` and `%K`, in their order, and of `$0` by number.
  /// - Returns: The predicate.
  /// - Throws: ``TextPredicateError``, all that are found in one, for what is no predicate, and for more or fewer
  ///   arguments than places.
  /// - Complexity: O(bytes).
  package static func parse(
    _ text: String, _ arguments: [TextPredicate.Literal.Content] = []
  ) throws(TextPredicateError) -> ParsedPredicate {
    let (predicate, errors) = read(text, arguments)
    if let error = TextPredicateError.joined(errors) { throw error }
    return predicate
  }

  /// As ``parse(_:_:)``; with errors, in which what is wrong stands for all objects.
  static func read(
    _ text: String, _ arguments: [TextPredicate.Literal.Content]
  ) -> (ParsedPredicate, [TextPredicateError]) {
    guard text.utf8.count <= maximumLength else {
      let message = "A predicate has at most \(maximumLength) bytes."
      let error = TextPredicateError(message: message, position: 0)
      return (ParsedPredicate(condition: .constant(true)), [error])
    }
    var parser = PredicateParser(PredicateText(text), arguments)
    let predicate = parser.whole()
    return (predicate, parser.errors)
  }

  private init(_ text: PredicateText, _ arguments: [Argument]) {
    lexer = PredicateLexer(text)
    self.arguments = arguments
    taken = Array(repeating: false, count: arguments.count)
    token = lexer.next()
    following = lexer.next()
  }

  private mutating func whole() -> ParsedPredicate {
    let condition = wholeCondition()
    var suffixes: [ParsedPredicate.Suffix] = []
    let suffixPosition = beginsSuffix ? position : nil
    while beginsSuffix {
      let open = openCount
      do throws(TextPredicateError) {
        suffixes.append(try suffix())
      } catch {
        record(error)
        skip(outside: open, passingClosing: true) { $0.beginsSuffix }
      }
    }
    if token.kind != .end {
      record(unexpected("SORT, DISTINCT, LIMIT or the end of the predicate is expected here."))
    } else if taken.contains(false) {
      let places = taken.lazy.filter(\.self).count
      record(unexpected("There are \(arguments.count) arguments for \(places) places."))
    }
    return ParsedPredicate(
      condition: condition, suffixes: suffixes, suffixPosition: suffixPosition)
  }

  /// The condition up to its suffixes, with what stands behind it by mistake.
  private mutating func wholeCondition() -> TextPredicate {
    var condition = predicate(node())
    while token.kind != .end, !beginsSuffix {
      record(unexpected("AND, OR or the end of the predicate is expected here."))
      advance()
      skip(outside: 0, passingClosing: true) { $0.isJoin || $0.beginsSuffix }
      guard isJoin else { break }
      advance()
      condition = .all([condition, predicate(node())])
    }
    return condition
  }

  // The tokens.

  /// Goes on to the next token.
  mutating func advance() {
    if token.isSign("(") { openCount += 1 }
    if token.isSign(")"), openCount > 0 { openCount -= 1 }
    token = following
    if following.kind != .end { following = lexer.next() }
  }

  /// Takes a sign, if it is the next token.
  mutating func take(_ sign: String) -> Bool {
    guard token.isSign(sign) else { return false }
    advance()
    return true
  }

  /// Takes a keyword, if it is the next token.
  mutating func take(_ keywords: PredicateKeyword...) -> Bool {
    guard let keyword = token.keyword, keywords.contains(keyword) else { return false }
    advance()
    return true
  }

  var position: Int { position(of: token) }

  func position(of token: Token) -> Int { lexer.text.position(token.range.lowerBound) }

  /// Whether two conditions are joined here.
  var isJoin: Bool {
    token.keyword == .and || token.keyword == .or || token.isSign("&&") || token.isSign("||")
  }

  var beginsSuffix: Bool {
    switch token.keyword {
    case .sort, .distinct, .limit: following.isSign("(")
    default: false
    }
  }

  // The errors.

  /// That something else is expected at a token, or what is wrong with that one.
  func unexpected(_ message: String) -> TextPredicateError { unexpected(message, at: token) }

  func unexpected(_ message: String, at token: Token) -> TextPredicateError {
    var error = TextPredicateError(message: message, position: position(of: token))
    if case .fault(let fault) = token.kind {
      error.message = fault
      error.position = lexer.text.position(token.faultPlace ?? token.range.lowerBound)
    }
    error.token = lexer.text.text(token.range.prefix(100))
    return error
  }

  mutating func record(_ error: TextPredicateError) {
    guard !isStopped else { return }
    errors.append(error)
    if errors.count == Self.maximumErrorCount { stop() }
  }

  /// Goes to the end without another error.
  mutating func stop() {
    isStopped = true
    let end = lexer.text.scalars.count
    token = Token(kind: .end, range: end..<end)
    following = token
  }

  /// Goes on to the next token at which a parser stops, outside of parentheses that are open here beyond a number of
  /// them; at most to one that closes.
  mutating func skip(
    outside open: Int, passingClosing: Bool = false, to isEnd: (PredicateParser) -> Bool
  ) {
    while token.kind != .end {
      if openCount <= open, isEnd(self) || !passingClosing && token.isSign(")") { return }
      advance()
    }
  }

  // The arguments.

  /// The argument of a number, or the next one.
  mutating func argument(_ number: Int?) throws(TextPredicateError) -> Argument {
    let number = number ?? nextArgument
    guard arguments.indices.contains(number) else {
      throw unexpected("There are fewer arguments than places for them.")
    }
    if case .argument(nil) = token.kind { nextArgument += 1 }
    if case .nameArgument(nil) = token.kind { nextArgument += 1 }
    taken[number] = true
    return arguments[number]
  }
}
