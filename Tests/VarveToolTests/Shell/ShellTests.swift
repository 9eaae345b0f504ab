import Foundation
import Testing
import Varve

@Suite struct ShellTests {
  private func withPups(_ count: Int = 2, _ body: (PupStore, URL) throws -> Void) throws {
    try PupStore.with { store in
      try store.realm.write {
        for number in 0..<count {
          store.realm.add(Pup(value: ["name": "Rex \(number)", "age": number]))
        }
      }
      let state = URL(filePath: store.path).deletingLastPathComponent().appending(path: "state")
      try body(store, state)
    }
  }

  private let prompt = "varve> "

  @Test func queryIsRunFromTerminal() throws {
    try withPups { store, state in
      let shell = try ShellTerminal(store.path, state: state)
      _ = shell.read(until: prompt)
      shell.send("Pup age = 1\r")
      _ = shell.read(until: "\r\n")
      let output = shell.read(until: prompt)
      #expect(output.contains("Rex 1") && !output.contains("Rex 0"), "\(output)")
      shell.send("query Pup --count\r")
      _ = shell.read(until: "\r\n")
      #expect(shell.read(until: prompt).hasPrefix("2\r\n"))
      shell.quit()
    }
  }

  @Test func terminalWithoutControlSequencesHasPrompt() throws {
    try withPups { store, state in
      let shell = try ShellTerminal(store.path, state: state, type: "dumb")
      _ = shell.read(until: prompt)
      for (line, text) in [("Cat\n", "neither a class"), ("query Pup --count\n", "2\r\n")] {
        shell.send(line)
        let output = shell.read(until: prompt)
        #expect(output.contains(text) && !output.contains("\u{1B}"), "\(output)")
      }
      shell.send(".quit\n")
      #expect(shell.wait() == 0)
    }
  }

  @Test func wordsAreCompleted() throws {
    try withPups { store, state in
      let shell = try ShellTerminal(store.path, state: state)
      _ = shell.read(until: prompt)
      shell.send("Pu\tfriend.ag\t> 5 OR na\tBEGINS\t'Rex 1'\r")
      let line = shell.read(until: "\r\n")
      #expect(line.contains("Pup friend.age > 5 OR name BEGINSWITH 'Rex 1'"), "\(line)")
      #expect(shell.read(until: prompt).contains("Rex 1"))
      // The second Tab lists the candidates.
      shell.send("Pup ag\u{15}Pup n\t\t")
      #expect(shell.read(until: "notes").contains("name"))
      shell.send("\u{3}")
      _ = shell.read(until: prompt)
      shell.send(".quit\r")
      #expect(shell.wait() == 0)
    }
  }

  @Test func interruptStopsCommand() throws {
    let count = 50_000
    try withPups(count) { store, state in
      let shell = try ShellTerminal(store.path, state: state)
      _ = shell.read(until: prompt)
      shell.send("query Pup --json\r")
      _ = shell.read(until: "Rex 0\"")
      // The command waits now, because its output is not read.
      shell.send("\u{3}")
      let output = shell.read(until: prompt)
      #expect(!output.contains("Rex \(count - 1)\""))
      shell.send("Pup age = 7 \r")
      #expect(shell.read(until: "Rex 7").contains("Rex 7"))
      _ = shell.read(until: prompt)
      shell.quit()
    }
  }

  @Test func linesAreRemembered() throws {
    try withPups { store, state in
      let shell = try ShellTerminal(store.path, state: state)
      _ = shell.read(until: prompt)
      shell.send("query Pup --count\r")
      _ = shell.read(until: "2\r\n")
      _ = shell.read(until: prompt)
      shell.quit()

      let file = state.appending(path: "varve/history")
      #expect(try String(contentsOf: file, encoding: .utf8) == "query Pup --count\n")
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)

      let second = try ShellTerminal(store.path, state: state)
      _ = second.read(until: prompt)
      second.send("\u{1B}[A\r")
      #expect(second.read(until: "2\r\n").contains("query Pup --count"))
      _ = second.read(until: prompt)
      second.quit()
    }
  }

  @Test func errorsAreShown() throws {
    try withPups { store, state in
      let shell = try ShellTerminal(store.path, state: state)
      _ = shell.read(until: prompt)
      shell.send("Cat\r")
      #expect(shell.read(until: "see .help").contains("Error: "))
      _ = shell.read(until: prompt)
      shell.send("Pup size = 1\r")
      #expect(shell.read(until: "Pup.size").contains("Error: "))
      _ = shell.read(until: prompt)
      shell.quit()
    }
  }

  @Test(arguments: [UInt16(20), 80, 200])
  func tableFitsTerminal(_ columns: UInt16) throws {
    try withPups { store, state in
      let shell = try ShellTerminal(store.path, columns: columns, state: state)
      _ = shell.read(until: prompt)
      shell.send("Pup\r")
      _ = shell.read(until: "\r\n")
      let output = shell.read(until: prompt)
      let lines = output.split(separator: "\r\n").filter { !$0.contains("\u{1B}") }
      #expect(lines.count { $0.contains("Rex") } == 2, "\(output)")
      #expect(lines.allSatisfy { $0.count <= columns }, "\(output)")
      // With few columns, each object is a list.
      #expect(output.contains("[2]") == (columns < 40), "\(output)")
      shell.quit()
    }
  }

  @Test func laterRowsKeepLayoutOfFirstRows() throws {
    try PupStore.with { store in
      let state = URL(filePath: store.path).deletingLastPathComponent().appending(path: "state")
      try store.realm.write {
        // The first 500 rows do not fit ten columns, and the others would.
        for number in 0..<600 {
          let isWide = number < 500
          store.realm.add(
            Pup(value: [
              "name": isWide ? "n\(1000 + number)" : "\(number)", "age": isWide ? 10_000 : 1,
            ]))
        }
      }
      let shell = try ShellTerminal(store.path, columns: 10, state: state)
      _ = shell.read(until: prompt)
      shell.send("query Pup --columns name,age\r")
      _ = shell.read(until: "\r\n")
      #expect(shell.read(until: "[600]").contains("[500]"))
      _ = shell.read(until: prompt)
      shell.quit()
    }
  }

  @Test func scriptIsReadFromStandardInput() throws {
    try withPups { store, _ in
      let output = try script(
        """
        # A comment.
        .mode csv
        Pup age = 1
        query Pup --count

        """, store)
      #expect(output.status == 0 && output.errors.isEmpty, "\(output)")
      #expect(
        output.text == "name,age,weight,tags,notes,friend\nRex 1,1,,[],{},\ncount\n2\n",
        "\(output.text)")
    }
  }

  @Test func scriptEndsAtFirstError() throws {
    try withPups { store, _ in
      let output = try script("query Pup --count\nPup size = 1\nquery Pup --count\n", store)
      #expect(output.status == 1 && output.text == "2\n", "\(output)")
      #expect(try script("query Pup --bogus\n", store).status == 64)
      #expect(try script("Cat\n", store).status == 1)
      // The standard input is the script.
      for line in ["edit insert Pup --write", "edit insert Pup - --write"] {
        #expect(try script(line, store).errors.contains("name a file to insert"))
      }
      #expect(try script("get Pup 'Rex 1' age\n.quit\nCat", store).text == "1\n")
    }
  }

  /// Runs the shell with a script.
  private func script(_ text: String, _ store: PupStore) throws -> ToolProgram.Output {
    let file = ToolProgram.temporaryURL("varve-script-")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    return try ToolProgram.run(["shell", store.path], readingFrom: file.path)
  }
}
