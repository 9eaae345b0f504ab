/// The pattern of a `LIKE` comparison. `*` matches any text, and `?` matches one Unicode scalar of
/// the folded text. `\*`, `\?` and `\\` match the escaped character; any other backslash matches
/// itself.
///
/// `?` matches one scalar and not one grapheme, like the reference engine, so results do not depend
/// on the Unicode version of a system. An é of two scalars needs `??`, unless a folding composes
/// it.
struct GlobPattern: Sendable {
  private enum Part: Sendable {
    case byte(UInt8)
    case scalar
    /// A star. The bytes that follow it, up to the next star or the end, are found with a substring
    /// search if they contain no `?`.
    case anything(SubstringSearch?)
  }

  /// The maximum number of bytes and `?` between two stars, or a star and the end, if they contain
  /// a `?`: each scalar of a text may have to be compared with all of them.
  static let maximumLength = 10_000

  private var parts: [Part] = []

  /// Compiles a pattern. Folds the literal text between the wildcards.
  ///
  /// - Throws: A fault if a part that follows a `*` and contains `?` is longer than
  ///   ``maximumLength``.
  /// - Complexity: O(`pattern`).
  init(_ pattern: String, fold: (String) -> String) throws(TextTest.Fault) {
    var literal = String.UnicodeScalarView()
    var isEscaped = false
    func flush(_ parts: inout [Part]) {
      parts += fold(String(literal)).utf8.map { .byte($0) }
      literal = String.UnicodeScalarView()
    }
    for scalar in pattern.unicodeScalars {
      if isEscaped {
        if scalar != "*", scalar != "?", scalar != "\\" { literal.append("\\") }
        literal.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "*" || scalar == "?" {
        flush(&parts)
        if scalar == "?" {
          parts.append(.scalar)
        } else if !endsWithAnything {
          parts.append(.anything(nil))
        }
      } else {
        literal.append(scalar)
      }
    }
    if isEscaped { literal.append("\\") }
    flush(&parts)
    try prepareSearches()
  }

  private var endsWithAnything: Bool {
    if case .anything? = parts.last { true } else { false }
  }

  /// Compiles the search for the text between two stars, or a star and the end.
  private mutating func prepareSearches() throws(TextTest.Fault) {
    var end = parts.count
    var bytes: [UInt8]? = []
    for index in parts.indices.reversed() {
      switch parts[index] {
      case .byte(let byte): bytes?.append(byte)
      case .scalar: bytes = nil
      case .anything:
        if let bytes, !bytes.isEmpty {
          parts[index] = .anything(SubstringSearch(bytes.reversed()))
        } else if end - index > Self.maximumLength {
          throw TextTest.Fault(
            message: "A pattern with ? can have at most 10,000 bytes after a *.",
            position: 0)
        }
        bytes = []
        end = index
      }
    }
  }

  /// Whether the pattern matches the whole text.
  ///
  /// Only the last `*` is backtracked to: a later star can match any text that an earlier one
  /// could.
  ///
  /// - Complexity: O(`text` + `pattern`) for a pattern with no `?` after a `*`. Otherwise O(`text`
  ///   × ``maximumLength``) in the worst case, and usually close to O(`text`). Allocates no memory.
  func matches(_ text: TextBytes) -> Bool {
    parts.withUnsafeBufferPointer { parts in
      var (index, partIndex) = (0, 0)
      // The state to resume with after a mismatch: the part after the last star, and the next
      // scalar.
      var (retryIndex, retryPartIndex) = (0, -1)
      while index < text.count {
        if partIndex < parts.count {
          switch parts[partIndex] {
          case .anything(let search?):
            let end = partIndex + 1 + search.part.count
            guard end < parts.count else { return text.ends(with: search.part, from: index) }
            guard let found = search.end(in: text, from: index) else { return false }
            (index, partIndex) = (found, end)
            // Continue with the star that follows the part. The match is never searched for again.
            retryPartIndex = -1
            continue
          case .anything(nil):
            partIndex += 1
            (retryIndex, retryPartIndex) = (index, partIndex)
            continue
          case .scalar:
            index += text.length(at: index)
            partIndex += 1
            continue
          case .byte(let byte) where byte == text[index]:
            index += 1
            partIndex += 1
            continue
          case .byte: break
          }
        }
        guard retryPartIndex >= 0 else { return false }
        if retryPartIndex == parts.count { return true }
        retryIndex += text.length(at: retryIndex)
        (index, partIndex) = (retryIndex, retryPartIndex)
      }
      while partIndex < parts.count {
        guard case .anything(nil) = parts[partIndex] else { return false }
        partIndex += 1
      }
      return true
    }
  }
}

extension TextBytes {
  /// Whether the text ends with the given bytes, which must not begin before an index.
  fileprivate func ends(with part: [UInt8], from index: Int) -> Bool {
    count - index >= part.count && hasBytes(part, at: count - part.count)
  }
}
