import Foundation
import Testing

@testable import VarveTool

@Suite struct InfoCommandTests {
  @Test func aMissingFileFailsAndMakesNone() throws {
    let path = ToolProgram.temporaryURL("varve-none-").path
    let output = try ToolProgram.run(["info", path])
    #expect(output.status == 1)
    #expect(output.errors == "Error: There is no such store.\n  \(path)\n")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aFileThatIsNoStoreIsToldInASentence() throws {
    let url = ToolProgram.temporaryURL("varve-none-")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("no store at all".utf8).write(to: url)
    let output = try ToolProgram.run(["info", url.path])
    #expect(output.status == 1)
    #expect(
      output.errors == "Error: The file does not begin as a store does.\n  \(url.path)\n")
    #expect(try Data(contentsOf: url) == Data("no store at all".utf8))
  }

  @Test func aDirectoryIsNoStore() throws {
    let output = try ToolProgram.run(["info", FileManager.default.temporaryDirectory.path])
    #expect(output.status == 1)
    #expect(output.errors.hasPrefix("Error: "))
  }
}
