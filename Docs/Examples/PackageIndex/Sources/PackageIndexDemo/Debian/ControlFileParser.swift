/// Parses a Debian control file incrementally, from chunks with arbitrary boundaries.
///
/// The format is described in chapter 5 of the Debian Policy: paragraphs separated by blank lines,
/// fields `Name: value`, continuation lines that begin with a space or a tab, and comments that
/// begin with `#`. Invalid UTF-8 is replaced by U+FFFD.
struct ControlFileParser: Sendable {
  /// The names of the fields to keep, in lower case; nil keeps all.
  private let keptFields: Set<String>?

  /// The beginning of a line whose end has not been read yet.
  private var partialLine: [UInt8] = []
  private var paragraph = ControlParagraph()
  private var current: Field = .none
  private var line = 0

  /// The field that a continuation line would continue.
  private enum Field {
    case none
    case kept
    case ignored
  }

  /// Creates a parser.
  ///
  /// - Parameter fields: The fields to keep; nil keeps all.
  init(keeping fields: [String]? = nil) {
    keptFields = fields.map { Set($0.map { $0.lowercased() }) }
  }

  /// Parses the next chunk of the file.
  ///
  /// - Parameter bytes: A chunk, which may end in the middle of a line or of a character.
  /// - Returns: The paragraphs that the chunk completes.
  /// - Throws: ``ControlFileError`` at the first invalid line.
  /// - Complexity: O(*n*), where *n* is the length of the chunk.
  mutating func parse(_ bytes: ArraySlice<UInt8>) throws(ControlFileError) -> [ControlParagraph] {
    var complete: [ControlParagraph] = []
    var rest = bytes
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if partialLine.isEmpty {
        try take(line: rest[..<newline], into: &complete)
      } else {
        partialLine.append(contentsOf: rest[..<newline])
        let whole = partialLine
        partialLine.removeAll(keepingCapacity: true)
        try take(line: whole[...], into: &complete)
      }
      rest = rest[(newline + 1)...]
    }
    partialLine.append(contentsOf: rest)
    return complete
  }

  /// Ends the file.
  ///
  /// - Returns: The last paragraph, if no blank line ended it.
  /// - Throws: ``ControlFileError`` when the last line is invalid.
  mutating func finish() throws(ControlFileError) -> ControlParagraph? {
    var complete: [ControlParagraph] = []
    if !partialLine.isEmpty {
      let whole = partialLine
      partialLine = []
      try take(line: whole[...], into: &complete)
    }
    endParagraph(into: &complete)
    return complete.last
  }

  private mutating func take(
    line bytes: ArraySlice<UInt8>, into complete: inout [ControlParagraph]
  ) throws(ControlFileError) {
    line += 1
    let text = bytes.trimmingTrailingSpace()
    guard let first = text.first else {
      endParagraph(into: &complete)
      return
    }
    switch first {
    case UInt8(ascii: "#"):
      break
    case UInt8(ascii: " "), UInt8(ascii: "\t"):
      try continueField(with: text.dropFirst())
    default:
      try beginField(with: text)
    }
  }

  private mutating func beginField(with text: ArraySlice<UInt8>) throws(ControlFileError) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
      throw ControlFileError(reason: .fieldWithoutColon, line: line)
    }
    let name = String(decoding: text[..<colon], as: UTF8.self)
    if let keptFields, !keptFields.contains(name.lowercased()) {
      current = .ignored
      return
    }
    let value = text[(colon + 1)...].drop { $0.isSpace }
    paragraph.fields.append(
      ControlParagraph.Field(name: name, value: String(decoding: value, as: UTF8.self)))
    current = .kept
  }

  private mutating func continueField(with text: ArraySlice<UInt8>) throws(ControlFileError) {
    switch current {
    case .none:
      throw ControlFileError(reason: .continuationWithoutField, line: line)
    case .ignored:
      break
    case .kept:
      let last = paragraph.fields.count - 1
      paragraph.fields[last].value += "\n" + String(decoding: text, as: UTF8.self)
    }
  }

  private mutating func endParagraph(into complete: inout [ControlParagraph]) {
    if !paragraph.fields.isEmpty {
      complete.append(paragraph)
      paragraph = ControlParagraph()
    }
    current = .none
  }
}

extension UInt8 {
  /// Whether the byte is a space, a tab, or the carriage return of a file with CRLF line ends.
  fileprivate var isSpace: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
  }
}

extension ArraySlice<UInt8> {
  fileprivate func trimmingTrailingSpace() -> ArraySlice<UInt8> {
    var end = endIndex
    while end > startIndex, self[end - 1].isSpace { end -= 1 }
    return self[..<end]
  }
}
