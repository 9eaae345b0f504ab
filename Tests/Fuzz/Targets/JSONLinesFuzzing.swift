import Foundation
import VarveCore
import VarveEncoding

@testable import VarveJSONLines

/// JSON Lines. The input is a byte with the length of the blocks in which the lines are read, and
/// the lines: headers, and values of all types.
enum JSONLinesFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let block = Int(input.byte()) + 1
    let text = input.remaining()
    let lines = try lines(text, block: block)
    try require(lines == self.lines(text, block: text.count), "the lines depend on the blocks")
    for line in lines {
      guard let value = try? JSONReader.read(line) else { continue }
      let copy = try require("a written line is not JSON") { try JSONReader.read(write(value)) }
      try require(isEqual(value, copy), "a copied line has another value")
      for type in PropertyType.allCases where type != .link && type != .mixed {
        try checkScalar(value, type)
      }
      readHeader(value)
    }
  }

  private static func lines(_ text: [UInt8], block: Int) throws -> [[UInt8]] {
    var start = 0
    var reader = LineReader {
      defer { start = min(text.count, start + block) }
      return Data(text[start..<min(text.count, start + block)])
    }
    var lines: [[UInt8]] = []
    while let line = try reader.next() { lines.append(line) }
    return lines
  }

  private static func checkScalar(_ json: JSONValue, _ type: PropertyType) throws {
    guard let value = JSONScalar.read(json, as: type) else { return }
    let text = try written { JSONScalar.write(value, to: &$0) }
    let copy = try require("a written value is not JSON") { try JSONReader.read(text) }
    let copied = JSONScalar.read(copy, as: type)
    try require(copied == value, "\(value) becomes \(String(describing: copied))")
  }

  private static func readHeader(_ value: JSONValue) {
    let links = ClassLinks()
    defer { links.cut() }
    _ = try? ImportedSchema(value, links)
  }

  private static func write(_ value: JSONValue) throws -> [UInt8] {
    try written { append(value, to: &$0) }
  }

  private static func written(_ body: (inout JSONWriter) -> Void) throws -> [UInt8] {
    nonisolated(unsafe) var text: [UInt8] = []
    var writer = JSONWriter { text += $0 }
    body(&writer)
    try writer.flush()
    return text
  }

  private static func append(_ value: JSONValue, to writer: inout JSONWriter) {
    switch value {
    case .null: writer.raw("null")
    case .bool(let value): writer.raw("\(value)")
    case .number(let digits): writer.raw(digits)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements {
        writer.element()
        append(element, to: &writer)
      }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.member(member.name)
        append(member.value, to: &writer)
      }
      writer.endObject()
    }
  }

  /// Compares values without the positions of their members.
  private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy(isEqual)
    case (.object(let left), .object(let right)):
      left.count == right.count
        && zip(left, right).allSatisfy { $0.name == $1.name && isEqual($0.value, $1.value) }
    default: left == right
    }
  }
}
