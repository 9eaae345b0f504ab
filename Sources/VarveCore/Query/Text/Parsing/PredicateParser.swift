/// A parser of predicates.
///
/// After an error, it continues after the next `AND`, `OR`, comma or parenthesis, so that all
/// errors of a text are reported. The grammar is in the article “Predicates”.
package struct PredicateParser {
  /// The maximum nesting depth of parentheses, `NOT`, signs and subqueries.
  ///
  /// Parsing a level takes a few kilobytes of stack, and up to sixteen without optimization.
  package static let maximumDepth = 100
  /// The maximum number of bytes of a text.
  package static let maximumLength = 10_000_000
  /// The maximum number of values in braces.
  package static let maximumListCount = 100_000
  /// The maximum number of values of an argument that is a sequence.
  package static let maximumArgumentCount = 1_000_000
  /// The maximum number of reported errors.
  package static let maximumErrorCount = 10

  typealias Token = PredicateToken
  typealias Argument = TextPredicate.Literal.Content

  private var lexer: PredicateLexer
  private(set) var token: Token
  private(set) var following: Token
  /// The number of parentheses that have been opened and not closed.
  private(set) var openCount = 0
  let arguments: [Argument]
  /// Whether each argument has been used.
  private var usedArguments: [Bool]
  private var nextArgument = 0
  var depth = 0
  private(set) var errors: [TextPredicateError] = []
  /// Whether further errors are discarded.
  private var isStopped = false

  /// Parses a predicate.
  ///
  /// - Parameter arguments: The values of the placeholders `%@` and `%K`, in order, and of `$0` by
  ///   number.
  /// - Throws: ``TextPredicateError`` with all errors found, for an invalid predicate, and if the
  ///   number of arguments differs from the number of placeholders.
  /// - Complexity: O(bytes).
  package static func parse(
    _ text: String, _ arguments: [TextPredicate.Literal.Content] = []
  ) throws(TextPredicateError) -> ParsedPredicate {
    let (predicate, errors) = read(text, arguments)
    if let error = TextPredicateError.joined(errors) { throw error }
    return predicate
  }

  /// Parses a predicate and returns its errors. An invalid part is replaced by a condition that is
  /// true for all objects. See ``parse(_:_:)``.
  static func read(
    _ text: String, _ arguments: [TextPredicate.Literal.Content]
  ) -> (ParsedPredicate, [TextPredicateError]) {
    guard text.utf8.count <= maximumLength else {
      let message = "A predicate can have at most \(maximumLength) bytes."
      let error = TextPredicateError(message: message, position: 0)
      return (ParsedPredicate(condition: .constant(true)), [error])
    }
    var parser = PredicateParser(PredicateText(text), arguments)
    let predicate = parser.fullPredicate()
    return (predicate, parser.errors)
  }

  private init(_ text: PredicateText, _ arguments: [Argument]) {
    lexer = PredicateLexer(text)
    self.arguments = arguments
    usedArguments = Array(repeating: false, count: arguments.count)
    token = lexer.next()
    following = lexer.next()
  }

  private mutating func fullPredicate() -> ParsedPredicate {
    let condition = fullCondition()
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
    } else if usedArguments.contains(false) {
      let count = usedArguments.lazy.filter(\.self).count
      record(unexpected("There are \(arguments.count) arguments for \(count) placeholders."))
    }
    return ParsedPredicate(
      condition: condition, suffixes: suffixes, suffixPosition: suffixPosition)
  }

  /// Parses the condition up to its suffixes, and recovers from unexpected tokens after it.
  private mutating func fullCondition() -> TextPredicate {
    // Suffixes alone apply to all objects.
    if beginsSuffix { return .constant(true) }
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

  /// Advances to the next token.
  mutating func advance() {
    if token.isSign("(") { openCount += 1 }
    if token.isSign(")"), openCount > 0 { openCount -= 1 }
    token = following
    if following.kind != .end { following = lexer.next() }
  }

  /// Consumes a sign, if it is the next token.
  mutating func take(_ sign: String) -> Bool {
    guard token.isSign(sign) else { return false }
    advance()
    return true
  }

  /// Consumes one of the keywords, if it is the next token.
  mutating func take(_ keywords: PredicateKeyword...) -> Bool {
    guard let keyword = token.keyword, keywords.contains(keyword) else { return false }
    advance()
    return true
  }

  var position: Int { position(of: token) }

  func position(of token: Token) -> Int { lexer.text.position(token.range.lowerBound) }

  /// Whether the next token joins two conditions.
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

  /// Creates an error for an unexpected token, or for the lexical error that the token contains.
  func unexpected(_ message: String) -> TextPredicateError { unexpected(message, at: token) }

  func unexpected(_ message: String, at token: Token) -> TextPredicateError {
    var error = TextPredicateError(message: message, position: position(of: token))
    if case .fault(let fault) = token.kind {
      error.message = fault
      error.position = lexer.text.position(token.errorPosition ?? token.range.lowerBound)
    }
    error.token = lexer.text.text(token.range.prefix(100))
    return error
  }

  mutating func record(_ error: TextPredicateError) {
    guard !isStopped else { return }
    errors.append(error)
    if errors.count == Self.maximumErrorCount { stop() }
  }

  /// Skips to the end without recording further errors.
  mutating func stop() {
    isStopped = true
    let end = lexer.text.scalars.count
    token = Token(kind: .end, range: end..<end)
    following = token
  }

  /// Skips to the next token that satisfies a condition and is not nested in parentheses opened
  /// beyond a given number of open parentheses. Stops at a closing parenthesis, unless closing
  /// parentheses are passed.
  mutating func skip(
    outside open: Int, passingClosing: Bool = false, to isEnd: (PredicateParser) -> Bool
  ) {
    while token.kind != .end {
      if openCount <= open, isEnd(self) || !passingClosing && token.isSign(")") { return }
      advance()
    }
  }

  // The arguments.

  /// The argument with a number, or the next one.
  mutating func argument(_ number: Int?) throws(TextPredicateError) -> Argument {
    let number = number ?? nextArgument
    guard arguments.indices.contains(number) else {
      throw unexpected("There are fewer arguments than placeholders.")
    }
    if case .argument(nil) = token.kind { nextArgument += 1 }
    if case .nameArgument(nil) = token.kind { nextArgument += 1 }
    usedArguments[number] = true
    return arguments[number]
  }
}
