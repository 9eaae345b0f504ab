import Foundation
import Testing
import Varve

@Suite struct BackupCommandTests {
  @Test func copyIsCheckedUnderWriter() throws {
    try PupStore.with { store in
      try store.realm.write { store.realm.add(Pup(value: ["name": "Rex"])) }
      let copy = store.path + ".copy"
      let output = try ToolProgram.run(["backup", store.path, copy])
      #expect(output.status == 0 && output.errors.isEmpty, "\(output.errors)")
      #expect(output.text.hasSuffix(", 1 object, no problems\n"), "\(output.text)")
      #expect(try ToolProgram.run(["query", copy, "Pup", "--count"]).text == "1\n")
      #expect(try ToolProgram.run(["diff", store.path, copy]).status == 0)

      let second = try ToolProgram.run(["backup", store.path, copy])
      #expect(second.status == 2 && second.text.isEmpty)
      #expect(second.errors.hasPrefix("Error: "), "\(second.errors)")
    }
  }

  @Test func copyMayStayUnchecked() throws {
    try PupStore.with { store in
      let copy = store.path + ".copy"
      let output = try ToolProgram.run(["backup", store.path, copy, "--no-check"])
      #expect(output.status == 0 && output.text.hasSuffix(", not checked\n"), "\(output.text)")
      #expect(try ToolProgram.run(["backup", "-q", copy, copy + "2"]).text == "")
    }
  }

  @Test func missingStoreFails() throws {
    let path = ToolProgram.temporaryURL("varve-none-").path
    let output = try ToolProgram.run(["backup", path, path + "2"])
    #expect(output.status == 2 && output.errors.contains(path))
    #expect(!FileManager.default.fileExists(atPath: path + "2"))
  }
}
