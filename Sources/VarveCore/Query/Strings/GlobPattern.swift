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
    case anything
  }

  private var parts: [Part] = []

  /// Prepares a pattern, with the text between its signs folded.
  ///
  /// - Complexity: O(`pattern`).
  init(_ pattern: String, fold: (String) -> String) {
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
          parts.append(.anything)
        }
      } else {
        literal.append(scalar)
      }
    }
    if isEscaped { literal.append("\\") }
    flush(&parts)
  }

  private var endsWithAnything: Bool {
    if case .anything? = parts.last { true } else { false }
  }

  /// Whether the whole text is of the pattern.
  ///
  /// Only the last `*` is ever tried again: whatever an earlier one could take, a later one can too.
  ///
  /// - Complexity: O(`text` × `pattern`) at worst, and near O(`text`) mostly. Nothing is allocated.
  func matches(_ text: TextBytes) -> Bool {
    parts.withUnsafeBufferPointer { parts in
      var (index, place) = (0, 0)
      // Where to go on once a part does not match: the part after the last star, and the next scalar.
      var (retryIndex, retryPlace) = (0, -1)
      while index < text.count {
        if place < parts.count {
          switch parts[place] {
          case .anything:
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
        guard case .anything = parts[place] else { return false }
        place += 1
      }
      return true
    }
  }
}
