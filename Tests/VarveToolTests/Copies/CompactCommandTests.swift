import Foundation
import Testing
import Varve

@Suite struct CompactCommandTests {
  @Test func freePagesAreRemoved() throws {
    let directory = ToolProgram.temporaryURL("varve-compact-")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "dogs.varve").path
    let text = directory.appending(path: "dogs.jsonl")
    let header = """
      {"format":"varve","version":1,"schemaVersion":0,"classes":[{"name":"Dog","properties":\
      [{"name":"id","type":"int64","primaryKey":true},{"name":"name","type":"string"}]}]}
      """
    let lines = (0..<20_000).map {
      "{\"class\":\"Dog\",\"key\":\($0),\"values\":{\"name\":\"Rex \($0)\"}}"
    }
    try Data(([header] + lines).joined(separator: "\n").utf8).write(to: text)
    #expect(try ToolProgram.run(["import", text.path, path]).status == 0)
    let deletion = ["edit", "delete", path, "Dog", "--where", "id >= 10", "--write", "-q"]
    #expect(try ToolProgram.run(deletion).text == "19,990 objects deleted\n")

    let before = try size(path)
    let output = try ToolProgram.run(["compact", path])
    #expect(output.status == 0 && output.errors.isEmpty, "\(output.errors)")
    #expect(output.text.contains(" before, ") && output.text.hasSuffix(" after\n"))
    #expect(try size(path) < before / 4)
    #expect(try ToolProgram.run(["check", "-q", path]).status == 0)
    #expect(try ToolProgram.run(["query", path, "Dog", "--count"]).text == "10\n")
  }

  @Test func storeInUseIsNotCompacted() throws {
    try PupStore.with(durability: .full) { store in
      let output = try ToolProgram.run(["compact", store.path])
      #expect(output.status == 1 && output.text.isEmpty)
      #expect(output.errors.contains("process \(getpid())"), "\(output.errors)")
    }
  }

  @Test func damagedStoreIsNotCompacted() throws {
    try PupStore.with { store in
      try store.realm.write {
        store.realm.add((0..<600).map { Pup(value: ["name": "pup \($0)"]) })
      }
      let copy = store.path + ".copy"
      try store.realm.writeCopy(configuration: Realm.Configuration(fileURL: URL(filePath: copy)))
      var bytes = try Data(contentsOf: URL(filePath: copy))
      let page = try #require(bytes.range(of: Data("pup 17".utf8))).lowerBound / 4096 * 4096
      bytes.replaceSubrange(page + 12..<page + 16, with: [0xFF, 0xFF, 0xFF, 0xFF])
      try bytes.write(to: URL(filePath: copy))
      let output = try ToolProgram.run(["compact", copy])
      #expect(output.status == 1 && output.text.isEmpty)
      #expect(
        output.errors.hasPrefix(
          "Error: The store was not compacted, and is unchanged.\n  \(copy)\n"),
        "\(output.errors)")
      #expect(output.errors.contains("A page is not of the expected kind."), "\(output.errors)")
      #expect(try Data(contentsOf: URL(filePath: copy)) == bytes)
    }
  }

  @Test func missingStoreIsNotCreated() throws {
    let path = ToolProgram.temporaryURL("varve-none-").path
    let output = try ToolProgram.run(["compact", path])
    #expect(output.status == 1 && output.errors == "Error: The store does not exist.\n  \(path)\n")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  private func size(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.size] as? Int)
  }
}
