/// A string comparison with a constant, compiled once and evaluated for many texts.
package struct TextTest: Sendable {
  /// The supported operations.
  ///
  /// - `beginsWith`, `endsWith` and `contains` match nothing if the folded operand is empty.
  /// - `like` matches the whole text. `*` matches any text, and `?` matches one scalar. A backslash
  ///   before either, or before another backslash, escapes it.
  /// - `matches` matches the whole text against a regular expression in the syntax of
  ///   ``PatternParser``. A folding applies to texts and to the letters and classes of the pattern.
  ///   `(?i)` at the start of the pattern adds `.caseless`.
  package static let operations: [Condition.Operation] = [
    .equal, .beginsWith, .endsWith, .contains, .like, .matches,
  ]

  /// An error in a pattern, with its position.
  package struct Fault: Error, Sendable, Equatable {
    /// The message, a full sentence.
    package let message: String
    /// The position in characters of the operand, from 0. The number of characters for the end.
    package let position: Int
  }

  private enum Content: Sendable {
    case whole([UInt8])
    case start([UInt8])
    case end([UInt8])
    case part(SubstringSearch)
    case glob(GlobPattern)
    case pattern(PatternProgram)
    case nothing
  }

  private let content: Content
  private let folding: TextFolding

  /// Compiles a comparison.
  ///
  /// - Parameters:
  ///   - operation: One of ``operations``. Any other operation matches nothing.
  ///   - operand: The constant or the pattern.
  ///   - folding: The differences to ignore, in the operand and in texts.
  /// - Throws: ``Fault`` for a pattern of `matches` that is invalid, uses an unsupported construct
  ///   or exceeds a limit, and for a pattern of `like` that exceeds ``GlobPattern/maximumLength``.
  ///   Never for other operations.
  /// - Complexity: O(`operand`), and for `matches` O(the program), which is bounded.
  package init(
    _ operation: Condition.Operation, _ operand: String, folding: TextFolding = .exact
  ) throws(Fault) {
    var folding = folding
    switch operation {
    case .like: content = .glob(try GlobPattern(operand) { folding.fold($0) })
    case .matches:
      let (root, flags) = try PatternParser.parse(operand, folding: folding)
      folding = flags
      content = .pattern(try PatternProgram(root))
    case .equal: content = .whole(Array(folding.fold(operand).utf8))
    default: content = Self.substring(operation, Array(folding.fold(operand).utf8))
    }
    self.folding = folding
  }

  private static func substring(_ operation: Condition.Operation, _ part: [UInt8]) -> Content {
    if part.isEmpty { return .nothing }
    return switch operation {
    case .beginsWith: .start(part)
    case .endsWith: .end(part)
    case .contains: .part(SubstringSearch(part))
    default: .nothing
    }
  }

  /// Whether a text matches.
  ///
  /// - Complexity: See ``matches(utf8:)``.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Whether a text of UTF-8 bytes matches.
  ///
  /// Allocates no memory if there is no folding or the text is ASCII, except for patterns of more
  /// than about sixty instructions, whose states need up to 320 kB temporarily. Bytes that are not
  /// valid UTF-8 never trap.
  ///
  /// - Complexity: O(text). In the worst case, O(text × pattern) for `like` with a `?` after a `*`,
  ///   and O(text × program) for `matches`.
  package func matches(utf8: UnsafeRawBufferPointer) -> Bool {
    if case .nothing = content { return false }
    if folding.isEmpty { return matches(TextBytes(utf8)) }
    let text = TextBytes(utf8, lowers: folding.contains(.caseless))
    if text.isASCII { return matches(text) }
    var folded = folding.folded(TextBytes(utf8))
    return folded.withUTF8 { matches(TextBytes(UnsafeRawBufferPointer($0))) }
  }

  /// Whether a folded text matches.
  private func matches(_ text: TextBytes) -> Bool {
    switch content {
    case .whole(let bytes): text.count == bytes.count && text.hasBytes(bytes, at: 0)
    case .start(let bytes): text.count >= bytes.count && text.hasBytes(bytes, at: 0)
    case .end(let bytes):
      text.count >= bytes.count && text.hasBytes(bytes, at: text.count - bytes.count)
    case .part(let search): search.isContained(in: text)
    case .glob(let pattern): pattern.matches(text)
    case .pattern(let program): program.matches(text)
    case .nothing: false
    }
  }
}
