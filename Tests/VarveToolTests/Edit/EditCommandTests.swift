import Foundation
import Testing
import Varve

enum CoatColor: String, PersistableEnum { case red, blue }

@Model final class Coat: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var color: CoatColor
}

@Suite struct EditCommandTests {
  private func withPups(
    _ body: (PupStore, (String...) throws -> ToolProgram.Output) throws -> Void
  ) throws {
    try PupStore.with([Pup.self, Toy.self, Basket.self], durability: .full) { store in
      try store.realm.write {
        store.realm.add(Pup(value: ["name": "Rex", "age": 3, "tags": ["a"]]))
        store.realm.add(Pup(value: ["name": "Bo", "age": 1]))
      }
      try body(store) { arguments in
        let output = try ToolProgram.run(["edit"] + arguments.map { $0 == "@" ? store.path : $0 })
        try store.realm.refresh()
        return output
      }
    }
  }

  private func pup(_ name: String, in store: PupStore) -> Pup? {
    store.realm.object(ofType: Pup.self, forPrimaryKey: name)
  }

  @Test func changeIsShownWithoutWriting() throws {
    try withPups { store, edit in
      let output = try edit("set", "@", "Pup", "age=9", "--key", "Rex")
      #expect(output.status == 0 && output.errors.isEmpty, "\(output.errors)")
      #expect(
        output.text == """
          set Pup "Rex"  age: 3 → 9
          1 object would be changed. Nothing is written without --write.

          """)
      #expect(pup("Rex", in: store)?.age == 3)
    }
  }

  @Test func unchangedObjectsAreCounted() throws {
    try withPups { store, edit in
      let output = try edit("set", "@", "Pup", "age=+3", "weight=1e1", "tags:=[]", "--key", "Rex")
      #expect(
        output.text == """
          set Pup "Rex"  weight: null → 10.0, tags: 1 element → []
          1 object would be changed. Nothing is written without --write.

          """, "\(output)")
      let partly = try edit("set", "@", "Pup", "age=3", "--all", "--write")
      #expect(partly.text == "set Pup \"Bo\"  age: 1 → 3\n1 object changed, 1 unchanged\n")
      let none = try edit("set", "@", "Pup", "age=3", "--all", "--write", "--json")
      #expect(
        none.text == "{\"objects\":0,\"unchanged\":2,\"change\":\"changed\",\"written\":true}\n")
      #expect(pup("Bo", in: store)?.age == 3)
    }
  }

  @Test func propertiesAreSet() throws {
    try withPups { store, edit in
      let output = try edit(
        "set", "@", "Pup", "age=9", "weight:=2.5", "tags:=[\"x\",\"y\"]", "notes:={\"n\":1}",
        "friend:={\"class\":\"Pup\",\"key\":\"Bo\"}", "--where", "age > 1", "--write", "-q")
      #expect(output.status == 0 && output.text == "1 object changed\n", "\(output)")
      let rex = try #require(pup("Rex", in: store))
      #expect(rex.age == 9 && rex.weight == 2.5 && Array(rex.tags) == ["x", "y"])
      #expect(rex.notes["n"] == 1 && rex.friend?.name == "Bo")
      #expect(
        try edit("set", "@", "Pup", "weight:=null", "tags:=[]", "--all", "--write").status == 0)
      #expect(rex.weight == nil && rex.tags.isEmpty)
      #expect(try ToolProgram.run(["check", "-q", store.path]).status == 0)
    }
  }

  @Test func objectsAreDeleted() throws {
    try withPups { store, edit in
      let output = try edit("delete", "@", "Pup", "--where", "age < 3", "--write")
      #expect(output.text == "delete Pup \"Bo\"\n1 object deleted\n", "\(output)")
      #expect(pup("Bo", in: store) == nil && pup("Rex", in: store) != nil)
    }
  }

  @Test func objectsAreInserted() throws {
    try withPups { store, edit in
      let lines = ToolProgram.temporaryURL("varve-lines-")
      defer { try? FileManager.default.removeItem(at: lines) }
      try Data(
        """
        {"name":"Ada","age":2,"friend":{"class":"Pup","key":"Neo"},"tags":["q"]}

        {"name":"Neo","age":0}
        """.utf8
      ).write(to: lines)
      let dry = try edit("insert", "@", "Pup", lines.path)
      #expect(
        dry.status == 0
          && dry.text.hasSuffix(
            "2 objects would be inserted. Nothing is written without --write.\n")
      )
      #expect(pup("Ada", in: store) == nil)
      let output = try edit("insert", "@", "Pup", lines.path, "--write", "-q")
      #expect(output.text == "2 objects inserted\n", "\(output)")
      #expect(pup("Ada", in: store)?.friend?.name == "Neo" && pup("Neo", in: store) != nil)
      // The second line would be a duplicate: nothing of the input is written.
      try Data("{\"name\":\"New\",\"age\":1}\n{\"name\":\"Ada\",\"age\":1}\n".utf8).write(to: lines)
      let failed = try edit("insert", "@", "Pup", lines.path, "--write", "-q")
      #expect(failed.status == 1 && failed.errors.contains("line 2"), "\(failed)")
      #expect(pup("New", in: store) == nil)
    }
  }

  @Test func byteOrderMarkIsIgnored() throws {
    try withPups { store, edit in
      let lines = ToolProgram.temporaryURL("varve-lines-")
      defer { try? FileManager.default.removeItem(at: lines) }
      try Data("\u{FEFF}{\"name\":\"Ada\",\"age\":2}\n".utf8).write(to: lines)
      #expect(try edit("insert", "@", "Pup", lines.path, "--write").status == 0)
      #expect(pup("Ada", in: store)?.age == 2)
    }
  }

  @Test func printedObjectsCanBeInserted() throws {
    try withPups { store, edit in
      try store.realm.write {
        store.realm.add(Toy(value: ["label": "ball", "bytes": Data([7])]))
      }
      let lines = ToolProgram.temporaryURL("varve-lines-")
      defer { try? FileManager.default.removeItem(at: lines) }
      let printed = try ToolProgram.run(["query", store.path, "Toy", "--json"])
      try Data(printed.text.utf8).write(to: lines)
      #expect(try edit("insert", "@", "Toy", lines.path, "--write").status == 0)
      let toys = store.realm.objects(Toy.self)
      #expect(
        toys.map(\.label) == ["ball", "ball"] && toys.map(\.bytes).allSatisfy { $0 == Data([7]) })
    }
  }

  @Test(arguments: [
    (["set", "@", "Pup", "size=1", "--all"], "no such property"),
    (["set", "@", "Pup", "age=x", "--all"], "which is of type Int"),
    (["set", "@", "Pup", "age", "--all"], "name=text"),
    (["set", "@", "Pup", "age=1", "age=2", "--all"], "set twice"),
    (
      ["set", "@", "Pup", "friend:={\"class\":\"Pup\",\"key\":\"No\"}", "--all"], "not in the store"
    ),
    (["set", "@", "Pup", "tags=x", "--all"], "tags:=JSON"),
    (["set", "@", "Pup", "tags:=[1]", "--all"], "another type"),
    (["set", "@", "Pup", "tags:=[", "--all"], "not JSON"),
    (["set", "@", "Pup", "name=New", "--key", "Rex"], "primary key"),
    (["set", "@", "Pup", "age=1", "--key", "Neo"], "no object with this key"),
    (["delete", "@", "Pup", "--where", "age >"], "predicate"),
    (["delete", "@", "Cat", "--all"], "no such class"),
  ])
  func wrongEditChangesNothing(_ arguments: [String], _ message: String) throws {
    try withPups { store, _ in
      let output = try ToolProgram.run(
        ["edit"] + arguments.map { $0 == "@" ? store.path : $0 } + ["--write"])
      try store.realm.refresh()
      #expect(output.status == 1, "\(output)")
      #expect(output.errors.contains(message), "\(output.errors)")
      #expect(pup("Rex", in: store)?.age == 3 && store.realm.objects(Pup.self).count == 2)
    }
  }

  @Test func unknownKeysAreRefusedAndUnknownCasesAreStored() throws {
    try PupStore.with([Coat.self], durability: .full) { store in
      let lines = ToolProgram.temporaryURL("varve-lines-")
      defer { try? FileManager.default.removeItem(at: lines) }
      func insert(_ line: String) throws -> ToolProgram.Output {
        try Data(line.utf8).write(to: lines)
        return try ToolProgram.run(["edit", "insert", store.path, "Coat", lines.path, "--write"])
      }
      let unknown = try insert(#"{"id":1,"color":"red","size":1}"#)
      #expect(unknown.status == 1 && unknown.errors.contains("no such property"), "\(unknown)")
      #expect(try insert(#"{"id":1,"color":"green"}"#).status == 0)
      try store.realm.refresh()
      let coat = try #require(store.realm.objects(Coat.self).first)
      // As the article says: a program reads the first case, and does not find it.
      #expect(
        coat.color == .red && store.realm.objects(Coat.self).where { $0.color == .red }.isEmpty)
      #expect(store.realm.objects(Coat.self).where { $0.color.rawValue == "green" }.count == 1)
      try store.realm.write { coat.color = coat.color }
      #expect(store.realm.objects(Coat.self).where { $0.color == .red }.count == 1)
    }
  }

  @Test func objectsMustBeChosen() throws {
    let output = try ToolProgram.run(["edit", "delete", "x", "Pup"])
    #expect(output.status == 64 && output.errors.contains("--all"))
  }

  @Test func missingStoreIsNotCreated() throws {
    let path = ToolProgram.temporaryURL("varve-none-").path
    let output = try ToolProgram.run(["edit", "delete", path, "Pup", "--all"])
    #expect(output.status == 1 && output.errors == "Error: The store does not exist.\n  \(path)\n")
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}

/// Edits of embedded objects and of stores under other processes.
@Suite struct EditSafetyTests {
  /// Runs a body with the path of a store with objects of all types of properties.
  private func withAllTypes(_ body: (String) throws -> Void) throws {
    let directory = ToolProgram.temporaryURL("varve-edit-")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "all.varve").path
    let text = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Schema/AllTypes.jsonl")
    #expect(try ToolProgram.run(["import", text.path, path]).status == 0)
    try body(path)
  }

  private func expectSound(_ path: String) throws {
    let output = try ToolProgram.run(["check", path])
    #expect(output.status == 0, "\(output.text)")
  }

  @Test func replacedEmbeddedObjectsAreDeleted() throws {
    try withAllTypes { path in
      let output = try ToolProgram.run([
        "edit", "set", path, "All", "part:={\"size\":9}", "parts:=[{\"size\":1},{\"size\":2}]",
        "anything:=[{\"list\":[{\"int\":1}]}]", "any:={\"dictionary\":{\"a\":null}}", "--key", "1",
        "--write",
      ])
      #expect(output.status == 0, "\(output.errors)")
      #expect(try ToolProgram.run(["get", path, "All", "1", "part.size"]).text == "9\n")
      #expect(try ToolProgram.run(["get", path, "All", "1", "parts[1].size"]).text == "2\n")
      try expectSound(path)
    }
  }

  @Test func deletedObjectTakesItsParts() throws {
    try withAllTypes { path in
      #expect(try ToolProgram.run(["edit", "delete", path, "All", "--all", "--write"]).status == 0)
      try expectSound(path)
      #expect(try ToolProgram.run(["query", path, "Part", "--count"]).text == "0\n")
    }
  }

  @Test func allTypesSurviveDeletionAndInsertion() throws {
    try withAllTypes { path in
      let before = try ToolProgram.run(["query", path, "All", "--json"]).text
      let lines = path + ".jsonl"
      try Data(before.utf8).write(to: URL(filePath: lines))
      #expect(try ToolProgram.run(["edit", "delete", path, "All", "--all", "--write"]).status == 0)
      let output = try ToolProgram.run(["edit", "insert", path, "All", lines, "--write", "--json"])
      #expect(
        output.text == "{\"objects\":1,\"change\":\"inserted\",\"written\":true}\n", "\(output)")
      #expect(try ToolProgram.run(["query", path, "All", "--json"]).text == before)
      try expectSound(path)
    }
  }

  @Test func unprintedChangeIsWritten() throws {
    try withAllTypes { path in
      let output = try ToolProgram.run(
        ["edit", "set", path, "All", "large=9", "--all", "--write"], writingTo: "/dev/full")
      #expect(output.status == 1)
      #expect(output.errors.hasPrefix("Error: The change was written, but not printed."))
      #expect(try ToolProgram.run(["get", path, "All", "1", "large"]).text == "9\n")
    }
  }

  @Test func unreadOutputDoesNotStopWriters() throws {
    try PupStore.with(durability: .full) { store in
      try store.realm.write {
        for number in 0..<20_000 { store.realm.add(Pup(value: ["name": "\(number)"])) }
      }
      let tool = try RunningTool(["edit", "delete", store.path, "Pup", "--all"])
      _ = tool.line()
      // The output is longer than a pipe, and nobody reads it.
      try store.realm.write { store.realm.add(Pup(value: ["name": "Rex"])) }
      try tool.closeOutput()
      #expect(try tool.wait().status == 0)
    }
  }

  @Test(arguments: [["edit", "delete", "@", "P", "--all"], ["compact", "@"]])
  func emptyFileStaysEmpty(_ arguments: [String]) throws {
    let url = ToolProgram.temporaryURL("varve-empty-")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data().write(to: url)
    let output = try ToolProgram.run(arguments.map { $0 == "@" ? url.path : $0 })
    #expect(output.status == 1 && output.text.isEmpty, "\(output)")
    #expect(try Data(contentsOf: url).isEmpty)
  }

  @Test func keyMayBeNegative() throws {
    try withAllTypes { path in
      let line = path + ".jsonl"
      let object = try ToolProgram.run(["query", path, "All", "--json"]).text
        .replacingOccurrences(of: "\"id\":1,", with: "\"id\":-5,")
        .replacingOccurrences(of: "\"text\":\"a\"", with: "\"text\":\"b\"")
        .replacingOccurrences(of: "\"large\":3", with: "\"large\":4")
      try Data(object.utf8).write(to: URL(filePath: line))
      let inserted = try ToolProgram.run(["edit", "insert", path, "All", line, "--write", "-q"])
      #expect(inserted.status == 0, "\(inserted)")
      #expect(try ToolProgram.run(["get", path, "All", "--", "-5", "large"]).text == "4\n")
      let set = try ToolProgram.run(["edit", "set", path, "All", "large=5", "--key", "-5"])
      #expect(set.text.hasPrefix("set All -5  large: 4 → 5\n"), "\(set)")
    }
  }

  @Test(arguments: ["1e7000", "-1e7000", "1.234567890123456789012345678901234567"])
  func decimalIsNotRounded(_ text: String) throws {
    try withAllTypes { path in
      for assignment in ["price=\(text)", "price:=\"\(text)\""] {
        let output = try ToolProgram.run(["edit", "set", path, "All", assignment, "--all"])
        #expect(output.status == 1, "\(output)")
      }
      let exact = try ToolProgram.run(["edit", "set", path, "All", "price=1e6000", "--all"])
      #expect(exact.status == 0 && exact.text.contains("→ 1E+6000"), "\(exact)")
    }
  }

  @Test func dateIsGivenAsText() throws {
    try withAllTypes { path in
      let number = try ToolProgram.run(
        ["edit", "set", path, "All", "day=1700000000", "--all", "--write"])
      #expect(number.status == 1 && number.errors.contains("of type Date"))
      let text = try ToolProgram.run(
        ["edit", "set", path, "All", "day=2025-02-03T04:05:06Z", "--all", "--write"])
      #expect(text.status == 0)
      #expect(
        try ToolProgram.run(["get", path, "All", "1", "day"]).text == "2025-02-03T04:05:06Z\n")
      let day = try ToolProgram.run(
        ["edit", "set", path, "All", "day=2025-02-04", "--all", "--write"])
      #expect(day.text.contains(" → 2025-02-04T00:00:00Z"), "\(day)")
    }
  }
}
