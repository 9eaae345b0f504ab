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

@Suite struct InfoOutputTests {
  @Test func reportIsPrintedAsJSON() throws {
    try PupStore.with { store in
      try store.realm.write { store.realm.add(Pup(value: ["name": "Rex"])) }
      let output = try ToolProgram.run(["info", "--json", "--sizes", store.path])
      #expect(output.status == 0 && output.text.split(separator: "\n").count == 1)
      let parsed = try JSONSerialization.jsonObject(with: Data(output.text.utf8))
      let report = try #require(parsed as? [String: Any])
      #expect(report["path"] as? String == store.path && report["schemaVersion"] as? Int == 0)
      let classes = try #require(report["classes"] as? [[String: Any]])
      #expect(classes.map { $0["objects"] as? Int } == [1, 0])
      let tables = try #require(report["tables"] as? [[String: Any]])
      let rows = try #require(tables.first { $0["name"] as? String == "objects of Pup" })
      #expect(rows["entries"] as? Int == 1 && rows["bytes"] as? Int == 4096)
      // The process of the tests has the store open.
      let readers = try #require(report["readers"] as? [[String: Any]])
      #expect(readers.contains { $0["process"] as? Int == Int(getpid()) })
    }
  }

  @Test func sizesOfTablesArePrinted() throws {
    try PupStore.with { store in
      try store.realm.write { store.realm.add(Pup(value: ["name": "Rex"])) }
      let output = try ToolProgram.run(["info", "--sizes", store.path])
      #expect(output.text.contains("\n  objects of Pup        1  4.0 KiB\n"), "\(output.text)")
    }
  }

  @Test func pinnedVersionsArePrinted() throws {
    try PupStore.with { store in
      let frozen = store.realm.freeze()
      try store.realm.write { store.realm.add(Pup(value: ["name": "Rex"])) }
      let output = try ToolProgram.run(["pins", store.path])
      #expect(output.status == 0 && output.text.contains("behind the newest"), "\(output.text)")
      let json = try ToolProgram.run(["pins", "--json", store.path])
      #expect(json.text.contains("{\"process\":\(getpid()),\"behind\":"), "\(json.text)")
      withExtendedLifetime(frozen) {}
    }
  }
}
