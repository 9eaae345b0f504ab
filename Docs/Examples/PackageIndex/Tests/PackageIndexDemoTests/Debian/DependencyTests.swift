import Testing

@testable import PackageIndexDemo

@Suite struct DependencyTests {
  @Test func clausesAndAlternativesAreParsed() {
    let clauses = Dependency.parse("libc6 (>= 2.34), exim4 | mail-transport-agent,debconf(>= 0.5)")
    #expect(
      clauses.map(\.alternatives) == [["libc6"], ["exim4", "mail-transport-agent"], ["debconf"]])
  }

  @Test func qualifiersAreDropped() {
    let clauses = Dependency.parse("python3:any, a [amd64 !arm64], b <!nocheck>, c:amd64 (<< 1:2~)")
    #expect(clauses.flatMap(\.alternatives) == ["python3", "a", "b", "c"])
  }

  @Test func clausesWithoutNameAreSkipped() {
    #expect(Dependency.parse("") == [])
    #expect(Dependency.parse(" , (>= 1), | ") == [])
    #expect(Dependency.parse("a,\n b,").flatMap(\.alternatives) == ["a", "b"])
  }
}
