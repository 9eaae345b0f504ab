import VarveEncoding

/// Parses one JSON text (RFC 8259) from a line.
///
/// - Complexity: O(bytes).
struct JSONReader {
  /// The limit of nested arrays and objects. The values of a store need far fewer levels.
  static let maximumDepth = 512

  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var depth = 0

  /// A syntax error and the column where it was found.
  struct Fault: Error, Equatable {
    var reason: String
    var column: Int
  }

  /// Parses a line.
  ///
  /// - Returns: The value of the line.
  /// - Throws: A fault unless the line is one JSON text, with optional whitespace around it.
  static func read(_ line: [UInt8]) throws(Fault) -> JSONValue {
    try line.withUnsafeBufferPointer { (bytes) throws(Fault) in
      var reader = JSONReader(bytes: bytes)
      return try reader.readAll()
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private mutating func readAll() throws(Fault) -> JSONValue {
    let value = try readValue()
    skipSpace()
    guard index == bytes.count else { throw fault("unexpected text after the value") }
    return value
  }

  private mutating func readValue() throws(Fault) -> JSONValue {
    skipSpace()
    guard index < bytes.count else { throw fault("the text ends too early") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try nested { (reader) throws(Fault) in try reader.readObject() }
    case UInt8(ascii: "["): return try nested { (reader) throws(Fault) in try reader.readArray() }
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return try readNumber()
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(Fault) -> JSONValue
  ) throws(Fault) -> JSONValue {
    guard depth < Self.maximumDepth else { throw fault("arrays and objects are nested too deeply") }
    depth += 1
    index += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func readObject() throws(Fault) -> JSONValue {
    var members: [JSONMember] = []
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw fault("a name is missing")
      }
      let name = try readString()
      guard take(UInt8(ascii: ":")) else { throw fault("a colon is missing") }
      skipSpace()
      let start = index
      let value = try readValue()
      members.append(JSONMember(name: name, value: value, bytes: start..<index))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("a brace is missing") }
    return .object(members)
  }

  private mutating func readArray() throws(Fault) -> JSONValue {
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat { elements.append(try readValue()) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("a bracket is missing") }
    return .array(elements)
  }

  private mutating func readWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(Fault) -> JSONValue {
    let end = index + word.utf8CodeUnitCount
    guard end <= bytes.count,
      (index..<end).allSatisfy({ bytes[$0] == word.utf8Start[$0 - index] })
    else { throw fault("an unknown literal") }
    index = end
    return value
  }

  // MARK: Numbers

  private mutating func readNumber() throws(Fault) -> JSONValue {
    let start = index
    _ = takeHere(UInt8(ascii: "-"))
    if !takeHere(UInt8(ascii: "0")) { try takeDigits() }
    if takeHere(UInt8(ascii: ".")) { try takeDigits() }
    if takeHere(UInt8(ascii: "e")) || takeHere(UInt8(ascii: "E")) {
      if !takeHere(UInt8(ascii: "-")) { _ = takeHere(UInt8(ascii: "+")) }
      try takeDigits()
    }
    return .number(
      String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self))
  }

  private mutating func takeDigits() throws(Fault) {
    let start = index
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
      index += 1
    }
    guard index > start else { throw fault("not a JSON value") }
  }

  // MARK: Strings

  private mutating func readString() throws(Fault) -> String {
    index += 1
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        defer { index += 1 }
        return try text(UnsafeBufferPointer(rebasing: bytes[start..<index]))
      case UInt8(ascii: "\\"):
        return try readEscaped(from: start)
      case 0..<0x20:
        throw fault("a control character in a string")
      default:
        index += 1
      }
    }
    throw fault("an unterminated string")
  }

  /// Parses the rest of a string from its first backslash.
  private mutating func readEscaped(from start: Int) throws(Fault) -> String {
    var buffer = Array(bytes[start..<index])
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        return try buffer.withUnsafeBufferPointer { (buffer) throws(Fault) in try text(buffer) }
      case UInt8(ascii: "\\"): try appendEscape(to: &buffer)
      case 0..<0x20: throw fault("a control character in a string")
      default: buffer.append(byte)
      }
    }
    throw fault("an unterminated string")
  }

  private mutating func appendEscape(to buffer: inout [UInt8]) throws(Fault) {
    guard index < bytes.count else { throw fault("an unterminated string") }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
    case UInt8(ascii: "b"): buffer.append(0x08)
    case UInt8(ascii: "f"): buffer.append(0x0C)
    case UInt8(ascii: "n"): buffer.append(0x0A)
    case UInt8(ascii: "r"): buffer.append(0x0D)
    case UInt8(ascii: "t"): buffer.append(0x09)
    case UInt8(ascii: "u"): buffer.append(contentsOf: String(try readScalar()).utf8)
    default: throw fault("an unknown escape")
    }
  }

  /// Parses the digits after `\u`, and those of a second surrogate.
  private mutating func readScalar() throws(Fault) -> Character {
    let first = try readUnit()
    var value = first
    if 0xD800..<0xDC00 ~= first {
      guard takeHere(UInt8(ascii: "\\")), takeHere(UInt8(ascii: "u")) else {
        throw fault("an unpaired surrogate")
      }
      let second = try readUnit()
      guard 0xDC00..<0xE000 ~= second else { throw fault("an unpaired surrogate") }
      value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw fault("an unpaired surrogate") }
    return Character(scalar)
  }

  private mutating func readUnit() throws(Fault) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.count,
        let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, bytes[index] < 0x80
      else { throw fault("an unknown escape") }
      unit = unit << 4 | UInt32(digit)
      index += 1
    }
    return unit
  }

  private func text(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw fault("a string is not UTF-8")
    }
    return text
  }

  // MARK: Positions

  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    return takeHere(byte)
  }

  private mutating func takeHere(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private func fault(_ reason: String) -> Fault { Fault(reason: reason, column: index + 1) }
}
