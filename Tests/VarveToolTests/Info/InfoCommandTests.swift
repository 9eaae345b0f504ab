import Foundation
import Testing
import Varve
import VarveTesting

@testable import VarveTool

@Suite struct InfoCommandTests {
  @Test func missingFileFailsAndIsNotCreated() throws {
    let url = ToolProgram.temporaryURL("varve-none-")
    for path in [url.path, "/" + url.lastPathComponent] {
      let output = try ToolProgram.run(["info", path])
      #expect(output.status == 1)
      #expect(output.errors == "Error: The store does not exist.\n  \(path)\n")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func fileThatIsNoStoreIsReported() throws {
    let url = ToolProgram.temporaryURL("varve-none-")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("no store at all".utf8).write(to: url)
    let output = try ToolProgram.run(["info", url.path])
    #expect(output.status == 1)
    #expect(
      output.errors == "Error: The file is not a store.\n  \(url.path)\n")
    #expect(try Data(contentsOf: url) == Data("no store at all".utf8))
  }

  @Test func damagedRootRecordIsReported() throws {
    try withTemporaryRealm(in: .directory) { realm in
      try Realm.close(realm.configuration)
      let url = try #require(realm.configuration.fileURL)
      var bytes = try Data(contentsOf: url)
      let mark = Data("Vrve".utf8) + Data([1, 0, 0, 0])
      var from = bytes.startIndex
      // Damages the next object id of every root record, the newest and the older ones.
      while let range = bytes.range(of: mark, in: from..<bytes.endIndex) {
        for byte in 56..<64 { bytes[range.lowerBound + byte] = 0xFF }
        from = range.upperBound
      }
      #expect(from > bytes.startIndex)
      try bytes.write(to: url)
      let output = try ToolProgram.run(["info", url.path])
      #expect(output.status == 1)
      #expect(output.text.isEmpty)
      #expect(output.errors.contains("Error: The root record is damaged."))
    }
  }

  @Test func directoryIsNoStore() throws {
    let output = try ToolProgram.run(["info", FileManager.default.temporaryDirectory.path])
    #expect(output.status == 1)
    #expect(output.errors.hasPrefix("Error: "))
  }
}
