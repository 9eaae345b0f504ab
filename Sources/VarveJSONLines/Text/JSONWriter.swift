import VarveEncoding

/// Writes JSON, compact or indented, in blocks.
///
/// The text of a value depends only on the value, so that equal stores produce equal files.
package struct JSONWriter {
  private static let blockSize = 1 << 16

  private var bytes: [UInt8] = []
  private let isIndented: Bool
  /// The number of open arrays and objects.
  package private(set) var depth = 0
  /// Whether the innermost open array or object is empty.
  private var isFirst = true
  private let sink: ([UInt8]) throws -> Void

  /// - Parameters:
  ///   - isIndented: Whether each member and element is on a line of its own.
  ///   - sink: A closure that receives the text, block by block.
  package init(isIndented: Bool = false, sink: @escaping ([UInt8]) throws -> Void) {
    self.isIndented = isIndented
    self.sink = sink
  }

  /// Returns the text that `body` writes.
  package static func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter { _ in }
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Passes the buffered text to the sink if it fills a block.
  package mutating func flushBlock() throws { if bytes.count >= Self.blockSize { try flush() } }

  /// Passes the buffered text to the sink.
  package mutating func flush() throws {
    guard !bytes.isEmpty else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Structure

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  private mutating func begin(_ byte: UInt8) {
    bytes.append(byte)
    depth += 1
    isFirst = true
  }

  private mutating func end(_ byte: UInt8) {
    depth -= 1
    if !isFirst { breakLine() }
    isFirst = false
    bytes.append(byte)
  }

  /// Begins an element of an array.
  package mutating func element() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    breakLine()
  }

  /// Begins a member of an object.
  package mutating func member(_ name: String) {
    element()
    string(name)
    bytes.append(UInt8(ascii: ":"))
    if isIndented { bytes.append(0x20) }
  }

  package mutating func endLine() { bytes.append(0x0A) }

  private mutating func breakLine() {
    guard isIndented else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
  }

  // MARK: Values

  /// Writes text that is already JSON.
  package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes a string in quotes, with only the escapes that JSON requires.
  package mutating func string(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        guard let escape = Self.escape(utf8[index]) else { continue }
        bytes.append(contentsOf: utf8[start..<index])
        bytes.append(contentsOf: escape.utf8)
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func escape(_ byte: UInt8) -> String? {
    guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
      return nil
    }
    switch byte {
    case UInt8(ascii: "\""): return "\\\""
    case UInt8(ascii: "\\"): return "\\\\"
    case 0x0A: return "\\n"
    case 0x0D: return "\\r"
    case 0x09: return "\\t"
    default: return "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
