import Testing

@testable import PackageIndexDemo

@Suite struct ControlFileParserTests {
  @Test func paragraphsAreSeparatedByBlankLines() throws {
    let paragraphs = try parse("Package: a\nVersion: 1\n\n\n \t\nPackage: b\n")
    #expect(paragraphs.map { $0["Package"] } == ["a", "b"])
    #expect(paragraphs[0]["Version"] == "1")
    #expect(paragraphs[1]["Version"] == nil)
  }

  @Test func lastParagraphNeedsNoLineEnd() throws {
    #expect(try parse("Package: a\n\nPackage: b").count == 2)
    #expect(try parse("Package: a\n\n").count == 1)
    #expect(try parse("").isEmpty)
    #expect(try parse("\n\n").isEmpty)
  }

  @Test func continuationLinesAreJoined() throws {
    let paragraph = try #require(parse("Tag: a, b,\n c,\n\td\nSize: 3\n").first)
    #expect(paragraph["Tag"] == "a, b,\nc,\nd")
    #expect(paragraph["Size"] == "3")
  }

  @Test func spaceAroundValuesIsDropped() throws {
    let paragraph = try #require(parse("A:b\nC: \t d e \r\nF:\n").first)
    #expect(paragraph["A"] == "b")
    #expect(paragraph["C"] == "d e")
    #expect(paragraph["F"] == "")
  }

  @Test func fieldNamesAreFoundInAnyCase() throws {
    let paragraph = try #require(parse("MD5sum: 1\n").first)
    #expect(paragraph["md5SUM"] == "1")
    #expect(paragraph.fields.map(\.name) == ["MD5sum"])
  }

  @Test func valuesMayContainColons() throws {
    #expect(try parse("Version: 1:2.3\n").first?["Version"] == "1:2.3")
  }

  @Test func commentsAreSkipped() throws {
    let paragraph = try #require(parse("# about a\nPackage: a\n#Package: b\nSize: 1\n").first)
    #expect(paragraph.fields.count == 2)
  }

  @Test func otherFieldsAreDroppedWithContinuations() throws {
    let text = "Package: a\nTag: x,\n y\nSize: 1\n\nTag: z\n\nPackage: b\n"
    let paragraphs = try parse(text, keeping: ["package", "SIZE"])
    #expect(paragraphs.count == 2)
    #expect(paragraphs[0].fields.map(\.name) == ["Package", "Size"])
  }

  @Test func invalidUTF8IsReplaced() throws {
    var parser = ControlFileParser()
    let bytes: [UInt8] = Array("Name: a".utf8) + [0xFF] + Array("b\n\n".utf8)
    #expect(try parser.parse(bytes[...]).first?["Name"] == "a\u{FFFD}b")
  }

  @Test func lineWithoutColonThrows() throws {
    let error = try #require(throws: ControlFileError.self) { try parse("A: b\n\nwhat\n") }
    #expect(error == ControlFileError(reason: .fieldWithoutColon, line: 3))
    #expect(throws: ControlFileError.self) { try parse(": b\n") }
    #expect(throws: ControlFileError.self) { try parse("A: b\nwhat") }
  }

  @Test func continuationWithoutFieldThrows() throws {
    let error = try #require(throws: ControlFileError.self) { try parse("A: b\n\n c\n") }
    #expect(error == ControlFileError(reason: .continuationWithoutField, line: 3))
  }

  @Test func chunksMayEndAnywhere() throws {
    let text = "Package: ä\nTag: a,\n b\n\n# c\nPackage: b\nVersion: 1:2\n"
    let bytes = Array(text.utf8)
    let whole = try parse(text)
    for size in 1...bytes.count {
      var parser = ControlFileParser()
      var paragraphs: [ControlParagraph] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        paragraphs += try parser.parse(bytes[start..<min(start + size, bytes.count)])
      }
      if let last = try parser.finish() { paragraphs.append(last) }
      #expect(paragraphs == whole, "chunks of \(size) bytes")
    }
  }

  @Test func anyBytesGiveParagraphsOrError() {
    let alphabet = Array("ab: \t\n\n#\r".utf8) + [0xC3, 0xA4, 0xFF]
    for _ in 0..<2000 {
      let bytes = (0..<40).compactMap { _ in alphabet.randomElement() }
      let whole = Result { try parse(bytes) }
      let halves = Result { try parse(bytes, splitAt: bytes.count / 2) }
      switch (whole, halves) {
      case (.success(let one), .success(let other)):
        #expect(one == other, "\(bytes)")
      case (.failure(let one as ControlFileError), .failure(let other as ControlFileError)):
        #expect(one == other, "\(bytes)")
      default:
        Issue.record("chunks change the result, \(bytes)")
      }
    }
  }

  private func parse(_ text: String, keeping fields: [String]? = nil) throws -> [ControlParagraph] {
    var parser = ControlFileParser(keeping: fields)
    let bytes = Array(text.utf8)
    var paragraphs = try parser.parse(bytes[...])
    if let last = try parser.finish() { paragraphs.append(last) }
    return paragraphs
  }

  private func parse(_ bytes: [UInt8], splitAt index: Int = 0) throws -> [ControlParagraph] {
    var parser = ControlFileParser()
    var paragraphs = try parser.parse(bytes[..<index])
    paragraphs += try parser.parse(bytes[index...])
    if let last = try parser.finish() { paragraphs.append(last) }
    return paragraphs
  }
}
