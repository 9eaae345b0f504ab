import VarveCore
import VarveEncoding

extension Query where T: _QueryString {
  /// Whether the whole string matches a wildcard pattern. `?` matches one character, and `*` any
  /// number of characters.
  ///
  /// - Parameters:
  ///   - pattern: The pattern. A backslash escapes `?` and `*`.
  ///   - options: The differences to ignore.
  public func like(_ pattern: String, options: StringOptions = []) -> Query<Bool> {
    compare(.like, .constant(.value(.string(pattern))), folding: options.folding)
  }

  /// Whether the whole string matches a wildcard pattern, optionally ignoring case. See
  /// ``like(_:options:)``.
  public func like(_ pattern: String, caseInsensitive: Bool) -> Query<Bool> {
    like(pattern, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// Whether the whole string matches a regular expression.
  ///
  /// - Parameters:
  ///   - pattern: The regular expression.
  ///   - options: The differences to ignore.
  /// - Precondition: The pattern is a valid regular expression.
  public func matches(_ pattern: String, options: StringOptions = []) -> Query<Bool> {
    TextPattern.check(pattern, options.folding)
    return compare(.matches, .constant(.value(.string(pattern))), folding: options.folding)
  }

  /// Whether the whole string matches a regular expression, optionally ignoring case. See
  /// ``matches(_:options:)``.
  public func matches(_ pattern: String, caseInsensitive: Bool) -> Query<Bool> {
    matches(pattern, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// Whether the string contains all of several words, in any order.
  ///
  /// ```swift
  /// books.where { $0.summary.fullTextSearch("sea storm") }
  /// ```
  /// A property declared with `@Persisted(fullText: true)` has an index for this search. Without an
  /// index, each object is read.
  ///
  /// - Parameter words: The words. A word that begins with `-` must not occur, and a word that ends
  ///   with `*` matches every word with that prefix.
  public func fullTextSearch(_ words: String) -> Query<Bool> {
    compare(.text, .constant(.value(.string(words))))
  }
}

/// Validation of the regular expressions of ``Query/matches(_:options:)``.
private enum TextPattern {
  /// Traps when a pattern is invalid.
  static func check(_ pattern: String, _ folding: TextFolding) {
    do throws(TextTest.Fault) {
      _ = try TextTest(.matches, pattern, folding: folding)
    } catch {
      Misuse.trap(
        "'\(pattern)' is not a valid \(Condition.Operation.matches.rawValue) pattern: "
          + "\(error.message) (character \(error.position + 1) of the pattern)")
    }
  }
}
