import Foundation
import Testing

/// Classes, properties and values whose names contain control characters.
@Suite struct ControlCharacterTests {
  /// A class with an escape sequence that sets the title of a terminal, in the names and a value.
  private static let text = """
    {"format":"varve","version":1,"schemaVersion":0,"classes":[{"name":"Cl\\u001b]0;x\\u0007",\
    "objects":1,"properties":[{"name":"key\\u001b","type":"string","primaryKey":true},\
    {"name":"a\\u001b","type":"string"}]}]}
    {"class":"Cl\\u001b]0;x\\u0007","key":"k\\u001b","values":{"a\\u001b":"v\\u001b\\u202e"}}

    """

  private static let name = "Cl\u{1B}]0;x\u{07}"

  @Test(arguments: [
    ["info", "@"], ["info", "@", "--json", "--sizes"], ["stats", "@"], ["stats", "@", "--json"],
    ["schema", "@"], ["schema", "@", "--as", "swift"], ["schema", "@", "--json"], ["pins", "@"],
    ["query", "@", name], ["query", "@", name, "--json"], ["query", "@", name, "x = 1"],
    ["query", "@", name, "--group-by", "a\u{1B}"], ["query", "@", "x\u{1B}"],
    ["query", "@", name, "--explain"], ["get", "@", name, "k\u{1B}"],
    ["get", "@", name, "x\u{1B}"],
    ["get", "@", name, "k\u{1B}", "x\u{1B}"],
    ["edit", "set", "@", name, "a\u{1B}=\u{1B}", "--all"],
    ["edit", "set", "@", name, "a\u{1B}:=\u{1B}", "--all"], ["edit", "delete", "@", name, "--all"],
    ["edit", "insert", "@", name, "%"], ["diff", "@", "empty"], ["diff", "empty", "@"],
    ["diff", "--json", "@", "empty"], ["check", "@"],
  ])
  func noControlCharacterIsPrinted(_ arguments: [String]) throws {
    let directory = ToolProgram.temporaryURL("varve-control-")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let input = directory.appending(path: "text.jsonl")
    try Data(Self.text.utf8).write(to: input)
    let store = directory.appending(path: "a.varve").path
    let empty = directory.appending(path: "b.varve").path
    #expect(try ToolProgram.run(["import", input.path, store]).status == 0)
    let header = #"{"format":"varve","version":1,"schemaVersion":0,"classes":[]}"#
    try Data((header + "\n").utf8).write(to: input)
    #expect(try ToolProgram.run(["import", input.path, empty]).status == 0)
    try Data("{\"key\\u001b\":1}\n".utf8).write(to: input)
    let output = try ToolProgram.run(
      arguments.map { ["@": store, "empty": empty, "%": input.path][$0] ?? $0 })
    let printed = output.text + output.errors
    #expect(!printed.isEmpty || arguments[0] == "pins")
    // JSON escapes only the control characters below a space.
    let refused: [UInt32] = [0x1B, 0x07] + (arguments.contains("--json") ? [] : [0x202E])
    #expect(
      !printed.unicodeScalars.contains { refused.contains($0.value) },
      "\(printed.debugDescription)")
  }
}
