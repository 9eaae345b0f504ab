import Testing

@testable import VarveJSONLines

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws(JSONReader.Fault) -> JSONValue {
    try JSONReader.read(Array(text.utf8))
  }

  @Test func valuesAreReadWithAllDigits() throws {
    let value = try read(
      #" { "a" : [ 1 , -0.50e+2 , 9223372036854775807 ] , "b" : {} , "": null } "#)
    guard case .object(let members) = value else {
      Issue.record("\(value)")
      return
    }
    #expect(members.map(\.name) == ["a", "b", ""])
    #expect(
      members.map(\.value) == [
        .array([.number("1"), .number("-0.50e+2"), .number("9223372036854775807")]), .object([]),
        .null,
      ])
  }

  @Test func membersHaveByteRangeOfValue() throws {
    let line = Array(#"{"a": [1, 2] ,"b":"x"}"#.utf8)
    guard case .object(let members) = try JSONReader.read(line) else {
      Issue.record("no object")
      return
    }
    #expect(members.map { String(decoding: line[$0.bytes], as: UTF8.self) } == ["[1, 2]", "\"x\""])
  }

  @Test func escapesAreRead() throws {
    #expect(
      try read(#""\"\\\/\b\f\n\r\t\u0000\u00e9\ud83d\ude00é😀""#)
        == .string("\"\\/\u{8}\u{C}\n\r\t\u{0}é😀é😀"))
  }

  @Test(arguments: [
    "", "  ", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "01", "1.", ".5",
    "+1",
    "1e", "-", "nul", "NaN", "Infinity", "1 2", "\"a", "\"\u{1}\"", "\"\\x\"", "\"\\u12\"",
    "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "'a'", "[1}", "\"\\u00g0\"", "\"\\",
  ])
  func invalidJSONIsRefused(text: String) {
    #expect(throws: JSONReader.Fault.self) { try read(text) }
  }

  @Test func invalidUTF8IsRefused() {
    #expect(throws: JSONReader.Fault.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
    #expect(throws: JSONReader.Fault.self) { try JSONReader.read([0x22, 0x5C, 0x6E, 0xC3, 0x22]) }
  }

  @Test func deepNestingIsRefusedWithoutOverflow() throws {
    _ = try read(String(repeating: "[", count: 500) + String(repeating: "]", count: 500))
    #expect(throws: JSONReader.Fault.self) { try read(String(repeating: "[", count: 1_000_000)) }
  }

  @Test func faultReportsColumn() {
    #expect(throws: JSONReader.Fault(reason: "a colon is missing", column: 6)) {
      try read(#"{"a" 1}"#)
    }
  }
}
