import Foundation
import Testing

@testable import VarveTool

@Suite struct VarveCommandTests {
  @Test func theVersionIsTold() throws {
    let output = try ToolProgram.run(["--version"])
    #expect(output.status == 0)
    #expect(output.text == ToolVersion.text + "\n")
    #expect(ToolVersion.text.hasPrefix("varve 0."))
  }

  @Test func withoutACommandTheHelpIsShown() throws {
    let output = try ToolProgram.run([])
    #expect(output.status == 0)
    #expect(output.text.contains("USAGE: varve <subcommand>"))
    #expect(output.text.contains("demo"))
    #expect(output.text.contains("info"))
    #expect(output.text.contains("watch"))
    #expect(!output.text.contains("demo-update"))
  }

  @Test func helpShowsNoHugeDefault() throws {
    let output = try ToolProgram.run(["demo", "--help"])
    #expect(output.status == 0)
    #expect(output.text.contains("--limit"))
    #expect(!output.text.contains("9223372036854775807"))
  }

  @Test(arguments: [
    (["bogus"], "bogus"), (["info"], "<file>"), (["info", "--bogus", "a"], "--bogus"),
    (["info", "a", "b"], "b"), (["demo", "extra"], "extra"), (["demo", "--bogus"], "--bogus"),
  ])
  func wrongArgumentsAreAnErrorOfUse(arguments: [String], named: String) throws {
    let output = try ToolProgram.run(arguments)
    #expect(output.status == 64)
    #expect(output.errors.hasPrefix("Error: "))
    #expect(output.errors.contains(named))
    #expect(output.errors.contains("Usage: varve"))
    #expect(output.text.isEmpty)
  }
}
