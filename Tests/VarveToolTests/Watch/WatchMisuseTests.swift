import Foundation
import Testing
import Varve

@testable import VarveTool

@Suite struct WatchMisuseTests {
  @Test func missingFileFailsAndIsNotCreated() throws {
    let path = ToolProgram.temporaryURL("varve-none-").path
    let output = try ToolProgram.run(["watch", path])
    #expect(output.status == 1)
    #expect(output.errors == "Error: The store does not exist.\n  \(path)\n")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
  }

  @Test func fileThatIsNoStoreIsReported() throws {
    let url = ToolProgram.temporaryURL("varve-none-")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("no store at all".utf8).write(to: url)
    let output = try ToolProgram.run(["watch", url.path])
    #expect(output.status == 1)
    #expect(output.errors == "Error: The file is not a store.\n  \(url.path)\n")
  }

  @Test func unknownClassErrorListsClasses() throws {
    try PupStore.with { store in
      let output = try ToolProgram.run(["watch", store.path, "--class", "Cat\n"])
      #expect(output.status == 1)
      #expect(
        output.errors == "Error: The store has no such class.\n  Cat\\n\n  classes: Pup, Toy\n")
    }
  }

  @Test(arguments: [
    (
      "wieght > 1", "The class has no such property. (character 1",
      "\n  Pup.wieght\n  wieght > 1\n  ^\n  properties: name, age, weight"
    ),
    ("age is 5", "A comparison is expected here", "\n  age is 5\n      ^\n"),
    ("age > 'x'", "This value cannot be compared with the type Int. (character 7", ""),
    ("name > 5", "This value cannot be compared with the type String. (character 8", ""),
    ("age CONTAINS 5", "Properties of the type Int do not support CONTAINS.", ""),
    ("age ==[c] 5", "Properties of the type Int do not support ==[c].", ""),
    ("tags > 5", "This value cannot be compared with the type String.", ""),
    ("friend.ages = 1", "The class has no such property. (character 8", "Pup.ages"),
    ("friend = 1", "This value cannot be compared with the type Pup?.", ""),
    ("friend > NULL", "Properties of the type Pup? do not support >.", ""),
    ("age > 1 LIMIT(3)", "SORT, DISTINCT and LIMIT are not allowed here. (character 9", ""),
    (
      "age = 'x' AND name = 5", "This value cannot be compared",
      "also: This value cannot be compared"
    ),
    ("age = name", "The type Int cannot be compared with the type String.", ""),
    ("", "The name of a property, or a value, is expected here.", ""),
  ])
  func wrongPredicateIsReportedWithPosition(predicate: String, message: String, more: String) throws
  {
    try PupStore.with { store in
      let output = try ToolProgram.run(
        ["watch", store.path, "--class", "Pup", "--where", predicate])
      #expect(output.status == 1)
      #expect(output.errors.hasPrefix("Error: " + message), "\(output.errors)")
      #expect(more.isEmpty || output.errors.contains(more))
      #expect(output.text.isEmpty)
    }
  }

  @Test func predicateUnknownToOneClassSuggestsChoosingClasses() throws {
    try PupStore.with { store in
      let output = try ToolProgram.run(["watch", store.path, "--where", "age > 1"])
      #expect(output.status == 1)
      #expect(
        output.errors.contains("The class has no such property.")
          && output.errors.contains("Toy.age"))
      #expect(output.errors.contains("Choose the classes with --class."))
    }
  }

  @Test func unwritableOutputIsError() throws {
    try PupStore.with { store in
      let process = Process()
      process.executableURL = try ToolProgram.url
      process.arguments = ["watch", store.path]
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      let text = try errors.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(process.terminationStatus == 1)
      #expect(
        String(decoding: text, as: UTF8.self).hasPrefix("Error: The output cannot be written."))
    }
  }

  @Test(arguments: [
    ["watch"], ["watch", "a", "b"], ["watch", "a", "--class"], ["watch", "a", "--bogus"],
  ])
  func wrongArgumentsAreUsageErrors(arguments: [String]) throws {
    let output = try ToolProgram.run(arguments)
    #expect(output.status == 64)
    #expect(output.errors.contains("Usage: varve watch"))
  }
}
