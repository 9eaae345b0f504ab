/// A test of strings, prepared once and asked of many texts.
///
/// Thread safety: an immutable value.
package struct TextTest: Sendable {
  /// What a test may ask.
  ///
  /// - `beginsWith`, `endsWith` and `contains` hold for nothing where the operand is empty, or nothing but what the folding
  ///   leaves out.
  /// - `like` is about the whole text, `*` being any text and `?` one scalar; a backslash before either, or before another
  ///   one, takes the meaning from it.
  /// - `matches` holds where the whole text is of a regular expression, of ``PatternParser``'s syntax. A folding applies to
  ///   texts, and to the letters and classes of the pattern; `(?i)` at its start is `.caseless`.
  package static let operations: [Condition.Operation] = [
    .equal, .beginsWith, .endsWith, .contains, .like, .matches,
  ]

  /// What is wrong with a pattern, and where.
  package struct Fault: Error, Sendable, Equatable {
    /// A sentence.
    package let message: String
    /// In characters of the operand from 0; the number of characters for the end.
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

  /// Prepares a test.
  ///
  /// - Parameters:
  ///   - operation: What is tested: one of ``operations``. Another one holds for nothing.
  ///   - operand: What texts are compared with, or the pattern.
  ///   - folding: What is left out of account, in the operand and in texts.
  /// - Throws: ``Fault`` for a pattern of `matches` that is none, that has a part which is not known, or that is
  ///   beyond a bound, and for one of `like` that is beyond ``GlobPattern/maximumLength``; for no other operation.
  /// - Complexity: O(`operand`), and for `matches` O(the program), which is bounded.
  package init(
    _ operation: Condition.Operation, _ operand: String, folding: TextFolding = []
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

  /// Whether a text passes.
  ///
  /// - Parameter text: Any text.
  /// - Returns: Whether it does.
  /// - Complexity: See ``matches(utf8:)``.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Whether a text, of UTF-8 bytes, passes.
  ///
  /// Nothing is allocated where there is no folding or the text is ASCII, but for patterns of more than about
  /// sixty instructions, whose states need up to 320 kB meanwhile. Bytes that are no UTF-8 never trap.
  ///
  /// - Parameter utf8: The bytes.
  /// - Returns: Whether they do.
  /// - Complexity: O(text); `like` with a `?` behind a `*` O(text × pattern) at worst; `matches` O(text × program) at worst.
  package func matches(utf8: UnsafeRawBufferPointer) -> Bool {
    if case .nothing = content { return false }
    if folding.isEmpty { return holds(TextBytes(utf8)) }
    let text = TextBytes(utf8, lowers: folding.contains(.caseless))
    if text.isASCII { return holds(text) }
    var folded = folding.folded(TextBytes(utf8))
    return folded.withUTF8 { holds(TextBytes(UnsafeRawBufferPointer($0))) }
  }

  /// Whether a folded text passes.
  private func holds(_ text: TextBytes) -> Bool {
    switch content {
    case .whole(let bytes): text.count == bytes.count && text.holds(bytes, at: 0)
    case .start(let bytes): text.count >= bytes.count && text.holds(bytes, at: 0)
    case .end(let bytes):
      text.count >= bytes.count && text.holds(bytes, at: text.count - bytes.count)
    case .part(let search): search.isContained(in: text)
    case .glob(let pattern): pattern.matches(text)
    case .pattern(let program): program.matches(text)
    case .nothing: false
    }
  }
}
