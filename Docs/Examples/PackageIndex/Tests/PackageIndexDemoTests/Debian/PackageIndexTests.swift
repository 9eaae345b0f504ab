import Foundation
import Testing

@testable import PackageIndexDemo

@Suite struct PackageIndexTests {
  @Test func packagesAreReadAndCounted() throws {
    try withIndex("Package: a\nVersion: 1\n\nPackage: b\nVersion: 2\n") { index throws in
      #expect(try index.packageCount() == 2)
      #expect(try names(in: index) == ["a", "b"])
    }
  }

  @Test func readingStopsAtLimit() throws {
    try withIndex("Package: a\nVersion: 1\n\nPackage: b\nVersion: 2\n") { index throws in
      #expect(try names(in: index, limit: 1) == ["a"])
      #expect(try names(in: index, limit: 2) == ["a", "b"])
      #expect(try names(in: index, limit: 0) == [])
      for limit in 0...3 { #expect(try index.packageCount(limit: limit) == min(limit, 2)) }
    }
  }

  @Test func paragraphsWithoutVersionAreSkipped() throws {
    try withIndex("Package: a\n\nPackage: b\nVersion: 2\n") { index throws in
      #expect(try names(in: index) == ["b"])
    }
  }

  @Test func missingFileThrows() {
    let index = PackageIndex(url: URL(fileURLWithPath: "/nonexistent/Packages"))
    #expect(throws: (any Error).self) { try index.packageCount() }
  }

  @Test func fileThatIsNoIndexThrows() throws {
    try withIndex("<html>\n") { index throws in
      do {
        _ = try names(in: index)
        Issue.record("The file is no index.")
      } catch is ControlFileError {}
    }
  }

  @Test func sampleIsComplete() throws {
    var records: [PackageRecord] = []
    try PackageSource.sample().forEachPackage { records.append($0) }
    #expect(records.count > 200)
    #expect(Set(records.map(\.name)).count == records.count)
    #expect(records.allSatisfy { $0.maintainer.address.isEmpty && $0.checksums.count == 2 })
  }

  private func names(in index: PackageIndex, limit: Int = .max) throws -> [String] {
    var names: [String] = []
    try index.forEachPackage(limit: limit) { names.append($0.name) }
    return names
  }

  private func withIndex(_ text: String, _ body: (PackageIndex) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-index-\(UUID().uuidString)")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(PackageIndex(url: url))
  }
}
