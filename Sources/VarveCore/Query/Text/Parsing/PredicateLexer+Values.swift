import Foundation
import VarveEncoding

/// Words that are followed by a value in parentheses.
enum ValueForm: String {
  case uuid, oid, objectid, binary, date, decimal
}

extension PredicateLexer {
  /// Parses a decimal number with an optional fraction and exponent, a hexadecimal number after
  /// `0x`, or a date.
  mutating func number() throws(LexicalFault) -> Token.Kind {
    if let date = try dayAndTime() { return date }
    let start = position
    let kind = isHexadecimal ? hexadecimal() : decimal()
    guard let kind, peek()?.isNamePart != true else {
      _ = take(while: \.isNamePart)
      throw LexicalFault("This is not a number, or it cannot be stored.", at: start)
    }
    return kind
  }

  private var isHexadecimal: Bool {
    peek() == "0" && (peek(1) == "x" || peek(1) == "X") && peek(2)?.isHexDigit == true
  }

  private mutating func hexadecimal() -> Token.Kind? {
    skip(2)
    return UInt64(take(while: \.isHexDigit), radix: 16).map { .integer($0) }
  }

  private mutating func decimal() -> Token.Kind? {
    let start = position
    let whole = take(while: \.isDigit)
    var isInteger = true
    if peek() == ".", peek(1).map({ !$0.isNameStart && $0 != "@" }) ?? true {
      isInteger = false
      skip()
      _ = take(while: \.isDigit)
    }
    if peek() == "e" || peek() == "E" {
      let hasSign = peek(1) == "+" || peek(1) == "-"
      if peek(hasSign ? 2 : 1)?.isDigit == true {
        isInteger = false
        skip(hasSign ? 2 : 1)
        _ = take(while: \.isDigit)
      }
    }
    if isInteger, let integer = UInt64(whole) { return .integer(integer) }
    let digits = text.text(start..<position)
    guard let double = Double(digits), double.isFinite else { return nil }
    // A double cannot represent all numbers with more digits.
    let exact = position - start > 16 ? Decimal128Bits(digits) : nil
    return .double(double, exact)
  }

  /// Parses a quoted string with backslash escapes.
  mutating func string() throws(LexicalFault) -> String {
    let start = position
    guard let quote = peek() else { throw LexicalFault("A string in quotes is expected here.") }
    skip()
    var string = String.UnicodeScalarView()
    var fault: LexicalFault?
    while let scalar = peek() {
      skip()
      if scalar == quote {
        if let fault { throw fault }
        return String(string)
      }
      guard scalar == "\\" else {
        string.append(scalar)
        continue
      }
      do throws(LexicalFault) {
        string.append(try escaped())
      } catch {
        if fault == nil { fault = error }
      }
    }
    throw fault ?? LexicalFault("The string that begins here has no closing quote.", at: start)
  }

  /// Parses an escape sequence after its backslash.
  private mutating func escaped() throws(LexicalFault) -> Unicode.Scalar {
    let start = position - 1
    guard let scalar = peek() else {
      throw LexicalFault("The predicate ends after a backslash.", at: start)
    }
    skip()
    switch scalar {
    case "\\", "'", "\"", "/": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "0": return "\0"
    case "u":
      if let scalar = unicodeScalar() { return scalar }
    default: skip(-1)
    }
    throw LexicalFault(
      "A backslash must be followed by a quote, a backslash, /, n, r, t, b, f, 0, uXXXX or u{…}; in a pattern, write two for one.",
      at: start)
  }

  /// Parses four hexadecimal digits, twice for a UTF-16 surrogate pair, or any number of digits in
  /// braces.
  private mutating func unicodeScalar() -> Unicode.Scalar? {
    if take("{") {
      let digits = take(while: \.isHexDigit)
      guard take("}"), let value = UInt32(digits, radix: 16) else { return nil }
      return Unicode.Scalar(value)
    }
    guard let unit = fourDigits() else { return nil }
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(UInt32(unit)) }
    guard take("\\"), take("u"), let second = fourDigits(), UTF16.isTrailSurrogate(second)
    else { return nil }
    return Unicode.Scalar(
      0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
  }

  private mutating func fourDigits() -> UInt16? {
    let start = position
    for _ in 0..<4 {
      guard peek()?.isHexDigit == true else { return nil }
      skip()
    }
    return UInt16(text.text(start..<position), radix: 16)
  }

  /// Parses a value in parentheses, with optional quotes. Returns nil if no parenthesis follows.
  mutating func value(in form: ValueForm) throws(LexicalFault) -> Token.Kind? {
    var offset = 0
    while peek(offset)?.isSpace == true { offset += 1 }
    guard peek(offset) == "(" else { return nil }
    let start = position + offset + 1
    skip(offset + 1)
    _ = take(while: \.isSpace)
    let content: String
    if peek()?.isQuote == true {
      content = try string()
    } else {
      content = take { !$0.isSpace && !"(){}[],".unicodeScalars.contains($0) && !$0.isQuote }
    }
    _ = take(while: \.isSpace)
    guard take(")") else {
      throw LexicalFault("A closing parenthesis is expected here.", at: position)
    }
    guard let value = form.value(content) else { throw LexicalFault(form.message, at: start) }
    return .value(value)
  }

  mutating func base64(_ content: String) throws(LexicalFault) -> Token.Kind {
    guard let value = ValueForm.binary.value(content) else {
      throw LexicalFault(ValueForm.binary.message)
    }
    return .value(value)
  }
}

extension ValueForm {
  fileprivate func value(_ text: String) -> Value? {
    switch self {
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .oid, .objectid: ObjectIdBytes(hexadecimal: text).map { .objectId($0) }
    case .binary: Data(base64Encoded: text).map { .data($0) }
    case .decimal: Decimal128Bits(text).map { .decimal($0) }
    case .date: Self.date(text).map { .date($0) }
    }
  }

  /// Parses an ISO 8601 date, or a number of seconds since 2001.
  private static func date(_ text: String) -> Date? {
    if let date = Date(iso8601: text) { return date }
    return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  fileprivate var message: String {
    switch self {
    case .uuid: "This is not a UUID."
    case .oid, .objectid: "This is not an object id of 24 hexadecimal digits."
    case .binary: "This is not valid Base64."
    case .decimal: "This is not a decimal number."
    case .date: "This is not a date such as 2024-01-31 or 2024-01-31T12:00:00Z."
    }
  }
}
