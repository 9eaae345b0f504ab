import Foundation
import Testing
import Varve

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
        {"name":"Ada","age":2,"friend":{"class":"Pup","key":"Rex"},"tags":["q"]}

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
      #expect(pup("Ada", in: store)?.friend?.name == "Rex" && pup("Neo", in: store) != nil)
      // The second line would be a duplicate: nothing of the input is written.
      try Data("{\"name\":\"New\",\"age\":1}\n{\"name\":\"Ada\",\"age\":1}\n".utf8).write(to: lines)
      let failed = try edit("insert", "@", "Pup", lines.path, "--write", "-q")
      #expect(failed.status == 1 && failed.errors.contains("line 2"), "\(failed)")
      #expect(pup("New", in: store) == nil)
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
