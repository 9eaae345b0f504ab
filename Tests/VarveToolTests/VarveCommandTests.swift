import Foundation
import Testing

@testable import VarveTool

@Suite struct VarveCommandTests {
  @Test func versionIsPrinted() throws {
    let output = try ToolProgram.run(["--version"])
    #expect(output.status == 0)
    #expect(output.text == ToolVersion.text + "\n")
    #expect(ToolVersion.text.hasPrefix("varve 0."))
  }

  @Test func missingCommandShowsHelp() throws {
    let output = try ToolProgram.run([])
    #expect(output.status == 0)
    #expect(output.text.contains("USAGE: varve <subcommand>"))
    for command in [
      "backup", "check", "compact", "diff", "edit", "export", "get", "import", "info", "pins",
      "query",
      "salvage", "schema", "shell", "stats", "watch",
    ] {
      #expect(output.text.contains("  \(command) "), "\(command)")
    }
  }

  @Test(arguments: [
    (["bogus"], "bogus"), (["info"], "<file>"), (["info", "--bogus", "a"], "--bogus"),
    (["info", "a", "b"], "b"), (["export", "a", "b"], "b"),
    (["import", "--bogus", "a", "b"], "--bogus"),
    (["bogus", "a", "b"], "Unknown command 'bogus'."),
    (["help", "bogus"], "Unknown command 'bogus'."),
    (["edit", "bogus", "a"], "Unknown command 'bogus'."),
    (["help", "edit", "bogus"], "Unknown command 'bogus'."),
    (["backup", "a", "-"], "A copy is a file"),
  ])
  func wrongArgumentsAreUsageErrors(arguments: [String], named: String) throws {
    let output = try ToolProgram.run(arguments)
    #expect(output.status == 64)
    #expect(output.errors.hasPrefix("Error: "))
    #expect(output.errors.contains(named))
    #expect(output.errors.contains("Usage: varve"))
    #expect(output.text.isEmpty)
  }
}
