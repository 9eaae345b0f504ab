import Testing
import Varve

@testable import PackageIndexDemo

@Suite struct PackageImportTests {
  @Test func packagesAreStoredWithLinks() throws {
    try TemporaryStore.with { (_, realm) throws in
      let packageImport = PackageImport(into: realm)
      try packageImport.add([
        TemporaryStore.record("a", needs: "b (>= 1), nothing | c, missing"),
        TemporaryStore.record("b", needs: "a, b, c, c"),
        TemporaryStore.record("c"),
      ])
      let totals = try packageImport.link { _ in }
      #expect(
        totals
          == PackageImport.Totals(packages: 3, maintainers: 1, sections: 1, links: 5, unresolved: 1)
      )
      let package = try #require(realm.object(ofType: Package.self, forPrimaryKey: "a"))
      #expect(package.dependencies.map(\.name) == ["b", "c"])
      #expect(package.dependents.map(\.name) == ["b"])
      #expect(package.maintainer?.packages.count == 3)
      #expect(package.section?.name == "libs")
      #expect(package.checksums["SHA256"] == "00a")
    }
  }

  @Test func laterPackagesReplaceEarlierOnes() throws {
    try TemporaryStore.with { (_, realm) throws in
      let packageImport = PackageImport(into: realm)
      try packageImport.add([TemporaryStore.record("a"), TemporaryStore.record("a", version: "2")])
      try packageImport.add([TemporaryStore.record("a", version: "3", needs: "a")])
      #expect(realm.objects(Package.self).map(\.version) == ["3"])
      #expect(try packageImport.link { _ in }.links == 1)
    }
  }

  @Test func totalsDistinguishEntriesFromPackages() {
    let totals = PackageImport.Totals(packages: 63_666, maintainers: 1, sections: 2)
    #expect(
      totals.lines(entries: 66_481) == [
        "In the store: 63,666 packages, 1 maintainer, 2 sections",
        "2,815 entries replaced an earlier one of the same package",
      ])
    #expect(
      totals.lines(entries: 63_667).last == "1 entry replaced an earlier one of the same package")
    #expect(totals.lines(entries: 63_666).count == 1)
  }

  @Test func progressEndsAtNumberOfPackages() throws {
    try TemporaryStore.with { (_, realm) throws in
      let packageImport = PackageImport(into: realm)
      let records = try TemporaryStore.sample()
      try packageImport.add(records)
      var steps: [Int] = []
      let totals = try packageImport.link { steps.append($0) }
      #expect(totals.packages == records.count)
      #expect(steps.last == records.count)
      #expect(totals.links > records.count)
    }
  }
}
