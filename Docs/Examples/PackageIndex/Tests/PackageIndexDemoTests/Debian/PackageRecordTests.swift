import Testing

@testable import PackageIndexDemo

@Suite struct PackageRecordTests {
  @Test func allFieldsAreRead() throws {
    let record = try PackageRecord(
      paragraph([
        ("Package", "tool"), ("Version", "1:2.0-3"), ("Architecture", "amd64"),
        ("Description", "does it\nand more"), ("Section", "admin"),
        ("Homepage", "https://example.org"), ("Maintainer", "A <a@example.org>"),
        ("Tag", "role::program,\nuse::testing"), ("Installed-Size", "12"), ("Size", "3456"),
        ("Depends", "libc6"), ("Pre-Depends", "dpkg"), ("MD5sum", "aa"), ("SHA256", "bb"),
      ]))
    #expect(record.name == "tool")
    #expect(record.version == "1:2.0-3")
    #expect(record.architecture == "amd64")
    #expect(record.summary == "does it")
    #expect(record.section == "admin")
    #expect(record.homepage == "https://example.org")
    #expect(record.maintainer == MaintainerField(name: "A", address: "a@example.org"))
    #expect(record.tags == ["role::program", "use::testing"])
    #expect(record.installedSize == 12 * 1024)
    #expect(record.downloadSize == 3456)
    #expect(record.dependencyText == "dpkg, libc6")
    #expect(record.checksums == ["MD5": "aa", "SHA256": "bb"])
  }

  @Test func parserKeepsAllReadFields() throws {
    let text = PackageRecord.fields.map { "\($0): 7\n" }.joined()
    var parser = ControlFileParser(keeping: PackageRecord.fields)
    let kept = try parser.parse(Array((text + "\n").utf8)[...])
    #expect(kept.first?.fields.count == PackageRecord.fields.count)
  }

  @Test func nameAndVersionAreEnough() throws {
    let record = try PackageRecord(paragraph([("Package", "a"), ("Version", "1")]))
    #expect(record.section == "unknown")
    #expect(record.maintainer.key == "unknown")
    #expect(record.homepage == nil)
    #expect(record.checksums.isEmpty)
  }

  @Test(arguments: ["Package", "Version"])
  func missingNameOrVersionThrows(missing: String) {
    let fields = [("Package", "a"), ("Version", "1")].filter { $0.0 != missing }
    #expect(throws: PackageRecord.MissingField(name: missing)) {
      try PackageRecord(paragraph(fields))
    }
  }

  @Test func nonNumericSizesAreZero() throws {
    let fields = [("Package", "a"), ("Version", "1")]
    let wrong = try PackageRecord(paragraph(fields + [("Installed-Size", "x"), ("Size", "")]))
    #expect(wrong.installedSize == 0)
    #expect(wrong.downloadSize == 0)
    let huge = try PackageRecord(paragraph(fields + [("Installed-Size", "9223372036854775807")]))
    #expect(huge.installedSize == 0)
  }

  private func paragraph(_ fields: [(String, String)]) -> ControlParagraph {
    ControlParagraph(fields: fields.map { ControlParagraph.Field(name: $0.0, value: $0.1) })
  }
}
