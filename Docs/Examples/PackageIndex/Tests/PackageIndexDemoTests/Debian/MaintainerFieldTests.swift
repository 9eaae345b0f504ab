import Testing

@testable import PackageIndexDemo

@Suite struct MaintainerFieldTests {
  @Test func nameAndAddressAreSeparated() {
    let field = MaintainerField("A Team <team@example.org>")
    #expect(field == MaintainerField(name: "A Team", address: "team@example.org"))
    #expect(field.key == "team@example.org")
  }

  @Test func quotesAreDropped() {
    #expect(MaintainerField("\"B. (Bo) C\" <b@example.org>").name == "B. (Bo) C")
  }

  @Test func addressMayBeAbsent() {
    let field = MaintainerField(" A Team ")
    #expect(field == MaintainerField(name: "A Team", address: ""))
    #expect(field.key == "A Team")
    #expect(MaintainerField("A <b").name == "A <b")
  }

  @Test func addressReplacesMissingName() {
    #expect(MaintainerField("<a@example.org>").name == "a@example.org")
  }
}
