import VarveCore
import VarveEncoding

extension Query where T: _QueryString {
  /// Whether the whole string is as a pattern says: `?` stands for one character, `*` for any number.
  ///
  /// - Parameters:
  ///   - pattern: the pattern; a backslash takes the meaning from `?` and `*`.
  ///   - options: what does not matter.
  /// - Returns: the condition.
  public func like(_ pattern: String, options: StringOptions = []) -> Query<Bool> {
    compare(.like, .constant(.value(.string(pattern))), folding: options.folding)
  }

  /// As ``like(_:options:)``.
  public func like(_ pattern: String, caseInsensitive: Bool) -> Query<Bool> {
    like(pattern, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// Whether the whole string is as a regular expression says.
  ///
  /// - Parameters:
  ///   - pattern: the regular expression.
  ///   - options: what does not matter.
  /// - Precondition: the pattern is a regular expression.
  /// - Returns: the condition.
  public func matches(_ pattern: String, options: StringOptions = []) -> Query<Bool> {
    TextPattern.check(pattern, options.folding)
    return compare(.matches, .constant(.value(.string(pattern))), folding: options.folding)
  }

  /// As ``matches(_:options:)``.
  public func matches(_ pattern: String, caseInsensitive: Bool) -> Query<Bool> {
    matches(pattern, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// Whether the string has all of some words, in any order.
  ///
  /// ```swift
  /// books.where { $0.summary.fullTextSearch("sea storm") }
  /// ```
  /// A property with `@Persisted(fullText: true)` has an index for it; others are read object by object.
  ///
  /// - Parameter words: the words; one that begins with `-` must not be there, and one that ends with `*` stands for all
  ///   that begin so.
  /// - Returns: the condition.
  public func fullTextSearch(_ words: String) -> Query<Bool> {
    compare(.text, .constant(.value(.string(words))))
  }
}

/// Regular expressions of ``Query/matches(_:options:)``.
private enum TextPattern {
  /// Ends the program for a pattern that is none.
  static func check(_ pattern: String, _ folding: TextFolding) {
    do throws(TextTest.Fault) {
      _ = try TextTest(.matches, pattern, folding: folding)
    } catch {
      QueryMisuse.trap(
        "'\(pattern)' is no pattern of \(Condition.Operation.matches.rawValue): \(error.message) (character "
          + "\(error.position + 1) of the pattern)")
    }
  }
}
