/// The pattern of a `LIKE`: `*` stands for any text and `?` for one Unicode scalar, of the folded text where
/// there is a folding. `\*`, `\?` and `\\` stand for the signs themselves; any other backslash for itself.
///
/// One scalar, not one grapheme: that is what the reference engine does, and an answer does not change with the
/// Unicode version of a system. é of two scalars needs `??`, unless a folding has composed it.
///
/// Thread safety: an immutable value.
struct GlobPattern: Sendable {
  private enum Part: Sendable {
    case byte(UInt8)
    case scalar
    /// A star. What follows up to the next star, or to the end, is searched for by its bytes if it has no `?`.
    case anything(SubstringSearch?)
  }

  /// How many bytes and `?` may stand behind a `*`, up to the next one, where there is a `?` among them: each scalar of a
  /// text may be compared with all of them.
  static let maximumLength = 10_000

  private var parts: [Part] = []

  /// Prepares a pattern, with the text between its signs folded.
  ///
  /// - Throws: A fault where a part with `?` behind a `*` is longer than ``maximumLength``.
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

  /// Prepares the search for what stands between two stars, or a star and the end.
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
            message: "In a pattern with ?, at most 10,000 characters may stand behind a *.",
            position: 0)
        }
        bytes = []
        end = index
      }
    }
  }

  /// Whether the whole text is of the pattern.
  ///
  /// Only the last `*` is ever tried again: whatever an earlier one could take, a later one can too.
  ///
  /// - Complexity: O(`text` + `pattern`) for a pattern with no `?` behind a `*`, else O(`text` × ``maximumLength``) at worst,
  ///   and near O(`text`) mostly. Nothing is allocated.
  func matches(_ text: TextBytes) -> Bool {
    parts.withUnsafeBufferPointer { parts in
      var (index, place) = (0, 0)
      // Where to go on once a part does not match: the part after the last star, and the next scalar.
      var (retryIndex, retryPlace) = (0, -1)
      while index < text.count {
        if place < parts.count {
          switch parts[place] {
          case .anything(let search?):
            let end = place + 1 + search.part.count
            guard end < parts.count else { return text.ends(with: search.part, from: index) }
            guard let found = search.end(in: text, from: index) else { return false }
            (index, place) = (found, end)
            // The star behind the part is next: what is found is not looked for again.
            retryPlace = -1
            continue
          case .anything(nil):
            place += 1
            (retryIndex, retryPlace) = (index, place)
            continue
          case .scalar:
            index += text.length(at: index)
            place += 1
            continue
          case .byte(let byte) where byte == text[index]:
            index += 1
            place += 1
            continue
          case .byte: break
          }
        }
        guard retryPlace >= 0 else { return false }
        if retryPlace == parts.count { return true }
        retryIndex += text.length(at: retryIndex)
        (index, place) = (retryIndex, retryPlace)
      }
      while place < parts.count {
        guard case .anything(nil) = parts[place] else { return false }
        place += 1
      }
      return true
    }
  }
}

extension TextBytes {
  /// Whether the bytes from an index on end with those given.
  fileprivate func ends(with part: [UInt8], from index: Int) -> Bool {
    count - index >= part.count && holds(part, at: count - part.count)
  }
}
