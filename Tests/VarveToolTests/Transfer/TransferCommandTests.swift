import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct TransferCommandTests {
  private func fill(_ directory: TransferDirectory) throws -> Realm {
    let realm = try directory.open("a.varve", [Maker.self])
    try realm.write {
      for number in 0..<50 { realm.create(Maker.self, value: ["name": "m\(number)"]) }
    }
    return realm
  }

  @Test func storeIsExportedAndImported() throws {
    try TransferDirectory.with { directory in
      let text = try directory.text(try fill(directory))
      let output = try ToolProgram.run(["export", directory.path("a.varve")])
      #expect(output.status == 0)
      #expect(output.text == text)
      #expect(output.errors == "")

      let file = directory.path("a.jsonl")
      let written = try ToolProgram.run(["export", directory.path("a.varve"), "-o", file])
      #expect(written.status == 0)
      #expect(written.text == "")
      #expect(written.errors.hasPrefix("  Export: 50 objects in "))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)

      let imported = try ToolProgram.run(["import", file, directory.path("b.varve")])
      #expect(imported.status == 0)
      #expect(imported.text.hasPrefix("  Import: 50 objects in "))
      #expect(imported.errors == "")
      let again = try ToolProgram.run(["export", directory.path("b.varve")])
      #expect(again.text == text)
    }
  }

  @Test func resultIsPrintedAsJSON() throws {
    try TransferDirectory.with { directory in
      _ = try fill(directory)
      let file = directory.path("a.jsonl")
      let exported = try ToolProgram.run([
        "export", directory.path("a.varve"), "-o", file, "--json",
      ])
      #expect(exported.text.hasPrefix("{\"objects\":50,\"seconds\":") && exported.errors.isEmpty)
      let imported = try ToolProgram.run(["import", file, directory.path("b.varve"), "--json"])
      #expect(imported.text.hasPrefix("{\"objects\":50,\"seconds\":"), "\(imported)")
      #expect(try ToolProgram.run(["export", directory.path("a.varve"), "--json"]).status == 64)
    }
  }

  @Test func fileOfStoreIsNotOverwritten() throws {
    try TransferDirectory.with { directory in
      _ = try fill(directory)
      let path = directory.path("a.varve")
      #expect(symlink(path, directory.path("symbolic.varve")) == 0)
      for target in [path, path + "-lock", directory.path("symbolic.varve")] {
        let output = try ToolProgram.run(["export", path, "-o", target])
        #expect(output.status == 1 && output.errors.contains("a file of the store"), "\(output)")
      }
    }
  }

  @Test func stoppedImportLeavesNoFile() throws {
    try TransferDirectory.with { directory in
      let text = try directory.text(try fill(directory))
      let header = try #require(text.split(separator: "\n").first)
      let input = Pipe()
      let process = Process()
      process.executableURL = try ToolProgram.url
      process.arguments = ["import", "-", directory.path("b.varve")]
      process.standardInput = input
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      let many = header.replacing("\"objects\":50", with: "\"objects\":10000000")
      input.fileHandleForWriting.write(Data((many + "\n").utf8))
      var number = 0
      signal(SIGPIPE, SIG_IGN)
      while process.isRunning {
        let lines = (0..<2000).map { #"{"class":"Maker","key":"m\#(number + $0)","values":{}}"# }
        number += 2000
        guard
          (try? input.fileHandleForWriting.write(
            contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))) != nil
        else { break }
        if number == 4000 { kill(process.processIdentifier, SIGTERM) }
      }
      process.waitUntilExit()
      let message = String(
        decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(process.terminationStatus == 1 && message.contains("was stopped"), "\(message)")
      for suffix in ["", "-lock", "-signal"] {
        #expect(!FileManager.default.fileExists(atPath: directory.path("b.varve" + suffix)))
      }
    }
  }

  @Test func storesOfEverySchemaVersionAreExportedAndImported() throws {
    try TransferDirectory.with { directory in
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: directory.path("a.varve")))
      configuration.objectTypes = [Maker.self]
      configuration.schemaVersion = 3
      let realm = try Realm(configuration: configuration)
      try realm.write { _ = realm.create(Maker.self, value: ["name": "m"]) }
      try Realm.close(configuration)
      let text = try ToolProgram.run([
        "export", directory.path("a.varve"), "-o", directory.path("a.jsonl"),
      ])
      #expect(text.status == 0)
      let imported = try ToolProgram.run([
        "import", directory.path("a.jsonl"), directory.path("b.varve"),
      ])
      #expect(imported.status == 0)
      #expect(try schemaVersionAtURL(URL(fileURLWithPath: directory.path("b.varve"))) == 3)
      // An existing store with the same version and no objects.
      configuration.fileURL = URL(fileURLWithPath: directory.path("c.varve"))
      _ = try Realm(configuration: configuration)
      try Realm.close(configuration)
      let filled = try ToolProgram.run([
        "import", directory.path("a.jsonl"), directory.path("c.varve"),
      ])
      #expect(filled.status == 0)
      // A store with another schema version has other properties under the same names, or the same
      // properties under other names.
      configuration.fileURL = URL(fileURLWithPath: directory.path("d.varve"))
      configuration.schemaVersion = 4
      _ = try Realm(configuration: configuration)
      try Realm.close(configuration)
      let refused = try ToolProgram.run([
        "import", directory.path("a.jsonl"), directory.path("d.varve"),
      ])
      #expect(refused.status == 1)
      #expect(refused.errors.contains("The text has another schema version than the store."))
    }
  }

  @Test func textIsReadFromPipe() throws {
    try TransferDirectory.with { directory in
      let text = try directory.text(try fill(directory))
      let tool = try ToolProgram.url.path
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = [
        "-c",
        "'\(tool)' export '\(directory.path("a.varve"))' | '\(tool)' import - '\(directory.path("b.varve"))' > /dev/null",
      ]
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0)
      #expect(try directory.text(try directory.open("b.varve")) == text)
    }
  }

  @Test func closedOutputIsNoFailure() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Maker.self])
      try realm.write {
        for number in 0..<30_000 { realm.create(Maker.self, value: ["name": "m\(number)"]) }
      }
      let tool = try RunningTool(["export", directory.path("a.varve")])
      _ = tool.line()
      try tool.closeOutput()
      let end = try tool.wait()
      #expect(end.status == 0)
      #expect(end.errors == "")
    }
  }

  @Test func classesAndIndentationCanBeChosen() throws {
    try TransferDirectory.with { directory in
      _ = try fill(directory)
      let path = directory.path("a.varve")
      let none = try ToolProgram.run(["export", path, "--class", "Place"])
      #expect(none.text.split(separator: "\n").count == 1)
      let pretty = try ToolProgram.run(["export", path, "--class", "Maker", "--pretty"])
      #expect(
        pretty.text.contains(
          """
          {
            "class": "Maker",
            "key": "m0",
            "values": {
              "home": null,
              "friends": []
            }
          }
          """))
      let wrong = try ToolProgram.run(["export", path, "--class", "Cat"])
      #expect(wrong.status == 1)
      #expect(wrong.errors == "Error: The file has no such class.\n  Cat\n")
    }
  }

  @Test func failedImportReportsErrorAndLeavesNoFiles() throws {
    try TransferDirectory.with { directory in
      let file = directory.path("a.jsonl")
      let header =
        #"{"format":"varve","version":1,"classes":[{"name":"A","properties":[{"name":"n","type":"int8"}]}]}"#
      try Data("\(header)\n{\"class\":\"A\",\"id\":1,\"values\":{\"n\":300}}\n".utf8)
        .write(to: URL(fileURLWithPath: file))
      let output = try ToolProgram.run(["import", file, directory.path("b.varve")])
      #expect(output.status == 1)
      #expect(
        output.errors
          == "Error: The value is of another type than the property.\n  A\n  n\n  300\n  line 2\n")
      for name in ["b.varve", "b.varve-lock", "b.varve-signal"] { #expect(!directory.exists(name)) }
    }
  }

  @Test func targetWithObjectsIsNotChanged() throws {
    try TransferDirectory.with { directory in
      let text = try directory.text(try fill(directory))
      let file = directory.path("a.jsonl")
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      let output = try ToolProgram.run(["import", file, directory.path("a.varve")])
      #expect(output.status == 1)
      #expect(output.errors.hasPrefix("Error: The store has objects already.\n"))
      #expect(try directory.text(try directory.open("a.varve")) == text)
      let other = directory.path("other")
      try Data("no store".utf8).write(to: URL(fileURLWithPath: other))
      #expect(try ToolProgram.run(["import", file, other]).status == 1)
      #expect(try String(contentsOfFile: other, encoding: .utf8) == "no store")
    }
  }

  @Test func missingFilesAreReported() throws {
    try TransferDirectory.with { directory in
      let none = try ToolProgram.run(["import", directory.path("none"), directory.path("b.varve")])
      #expect(none.status == 1)
      #expect(none.errors.contains("No such file"))
      #expect(!directory.exists("b.varve"))
      let store = try ToolProgram.run(["export", directory.path("none"), "-o", directory.path("c")])
      #expect(store.status == 1)
      #expect(!directory.exists("c"))
      #expect(try ToolProgram.run(["import", "x"]).status == 64)
    }
  }
}
