import Foundation
import Testing
import Varve
import VarveTesting

@Suite struct CheckCommandTests {
  @Test func validStoreSucceeds() throws {
    try withTemporaryRealm(in: .directory) { realm in
      try realm.write { realm.add(Pup(value: ["name": "Rex"])) }
      let url = try #require(realm.configuration.fileURL)
      let output = try ToolProgram.run(["check", url.path])
      #expect(output.status == 0, "\(output.errors)")
      #expect(output.text.contains(" pages of 4096 bytes, ") && output.text.hasSuffix("/s\n"))
      #expect(output.text.contains("\n1 class, 1 object,"))
      #expect(output.text.contains("\nNo problems in "))
      #expect(output.errors.isEmpty)
    }
  }

  @Test func reportIsPrintedAsJSON() throws {
    try withTemporaryRealm(in: .directory) { realm in
      try realm.write { realm.add(Pup(value: ["name": "Rex"])) }
      let url = try #require(realm.configuration.fileURL)
      let output = try ToolProgram.run(["check", "--json", url.path])
      #expect(output.status == 0, "\(output.errors)")
      let parsed = try JSONSerialization.jsonObject(with: Data(output.text.utf8))
      let report = try #require(parsed as? [String: Any])
      #expect(report["sound"] as? Bool == true && report["objects"] as? Int == 1)
      #expect(report["leakedPages"] as? Int == 0 && (report["problems"] as? [Any])?.isEmpty == true)
      let pages = try #require(report["pages"] as? Int)
      #expect(pages > 2 && report["bytes"] as? Int == 4096 * pages)
    }
  }

  @Test func quietCheckPrintsNothing() throws {
    try withTemporaryRealm(in: .directory) { realm in
      let url = try #require(realm.configuration.fileURL)
      let output = try ToolProgram.run(["check", "--quiet", url.path])
      #expect(output.status == 0 && output.text.isEmpty && output.errors.isEmpty)
    }
  }

  @Test func damagedPageFails() throws {
    try withTemporaryRealm(in: .directory) { realm in
      try realm.write {
        for number in 0..<500 { realm.add(Pup(value: ["name": "\(number)"])) }
      }
      try Realm.close(realm.configuration)
      let url = try #require(realm.configuration.fileURL)
      var bytes = try Data(contentsOf: url)
      let page = try #require((2..<bytes.count / 4096).last { bytes[$0 * 4096 + 10] == 2 })
      bytes[page * 4096 + 10] = 0xFF
      try bytes.write(to: url)
      let output = try ToolProgram.run(["check", url.path])
      #expect(output.status == 1)
      #expect(output.text.contains("\npage: page "), "\(output.text)")
      #expect(output.errors.hasPrefix("Error: The store has "), "\(output.errors)")

      // The exit code does not depend on the reader of the output.
      let unread = try RunningTool(["check", url.path])
      try unread.closeOutput()
      #expect(try unread.wait().status == 1)
    }
  }

  @Test func truncatedFileFailsWithoutCreatingFiles() throws {
    try withTemporaryRealm(in: .directory) { realm in
      try realm.write { realm.add(Pup(value: ["name": "Rex"])) }
      try Realm.close(realm.configuration)
      let url = try #require(realm.configuration.fileURL)
      let directory = ToolProgram.temporaryURL("varve-truncated-")
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(at: directory) }
      let truncated = directory.appending(path: "store.varve")
      for length in [0, 100, 5000, 12_288] {
        try Data(contentsOf: url).prefix(length).write(to: truncated)
        for command in ["check", "info"] {
          let output = try ToolProgram.run([command, truncated.path])
          let expected: Int32 = command == "check" ? 2 : 1
          #expect(output.status == expected && output.text.isEmpty, "\(command) \(length)")
          let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
          #expect(files == ["store.varve"], "\(command) \(length)")
        }
      }
    }
  }

  @Test(arguments: ["check", "info"])
  func unwritableOutputFails(_ command: String) throws {
    try withTemporaryRealm(in: .directory) { realm in
      try realm.write { realm.add(Pup(value: ["name": "Rex"])) }
      let url = try #require(realm.configuration.fileURL)
      let output = try ToolProgram.run([command, url.path], writingTo: "/dev/full")
      #expect(output.status == (command == "check" ? 2 : 1))
      #expect(
        output.errors == "Error: The output cannot be written: No space left on device\n")
    }
  }

  @Test func missingFileFails() throws {
    let path = ToolProgram.temporaryURL("varve-none-").path
    let output = try ToolProgram.run(["check", path])
    #expect(output.status == 2 && output.text.isEmpty)
    #expect(output.errors.hasPrefix("Error: ") && output.errors.contains("\n  \(path)\n"))
  }
}
