import Foundation
import Testing

@testable import PackageIndexDemo

@Suite struct PackageSourceTests {
  @Test func listsOfArchitectureAreFoundWithUpdatesLast() throws {
    try withDirectory([
      "mirror_debian-security_dists_x-security_main_binary-amd64_Packages.lz4",
      "mirror_debian_dists_x-updates_main_binary-amd64_Packages",
      "mirror_debian_dists_x_main_binary-amd64_Packages.gz",
      "mirror_debian_dists_x_main_binary-arm64_Packages.gz",
      "mirror_debian_dists_x_InRelease",
    ]) { directory in
      let found = PackageSource.machineIndexes(in: directory, architecture: "amd64")
      #expect(
        found?.map(\.name) == [
          "mirror_debian_dists_x_main_binary-amd64_Packages.gz",
          "mirror_debian_dists_x-updates_main_binary-amd64_Packages",
          "mirror_debian-security_dists_x-security_main_binary-amd64_Packages.lz4",
        ])
    }
  }

  @Test func missingListsGiveNil() throws {
    try withDirectory(["lock"]) { directory in
      #expect(PackageSource.machineIndexes(in: directory, architecture: "amd64") == nil)
    }
    let missing = URL(fileURLWithPath: "/nonexistent")
    #expect(PackageSource.machineIndexes(in: missing, architecture: "amd64") == nil)
  }

  @Test func sampleIsNextToProgram() throws {
    #expect(try PackageSource.sample().packageCount() > 200)
  }

  private func withDirectory(_ names: [String], _ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-lists-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    for name in names { try Data().write(to: url.appendingPathComponent(name)) }
    try body(url)
  }
}
