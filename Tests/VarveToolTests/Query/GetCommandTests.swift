import Foundation
import Testing
import Varve

@Suite struct GetCommandTests {
  private func withPups(
    _ body: (PupStore, (String...) throws -> ToolProgram.Output) throws -> Void
  ) throws {
    try PupStore.with([Pup.self, Toy.self, Basket.self]) { store in
      try store.realm.write {
        let rex = store.realm.create(
          Pup.self,
          value: ["name": "Rex", "age": 3, "tags": ["a", "b"], "notes": ["x y": 1, "z": 2]])
        store.realm.add(Pup(value: ["name": "Ada", "weight": 2.5, "friend": rex]))
        store.realm.add(Toy(value: ["label": "ball", "bytes": Data([0, 1, 255])]))
        store.realm.add(Basket(value: ["name": "b", "fruits": ["fig", "apple"]]))
      }
      try body(store) { try ToolProgram.run(["get", store.path] + $0) }
    }
  }

  @Test func objectIsPrinted() throws {
    try withPups { _, get in
      let output = try get("Pup", "Ada")
      #expect(output.status == 0 && output.errors.isEmpty, "\(output.errors)")
      #expect(
        output.text == """
          name    Ada
          age     0
          weight  2.5
          tags    0 elements
          notes   0 elements
          friend  Pup "Rex"

          """)
      #expect(
        try get("Pup", "Rex", "--json").text == """
          {"name":"Rex","age":3,"weight":null,"tags":["a","b"],"notes":{"x y":1,"z":2},"friend":null}

          """)
    }
  }

  @Test(arguments: [
    ("age", "0\n"), ("friend.name", "Rex"), ("friend.tags", "[\"a\",\"b\"]\n"),
    ("friend.tags[1]", "b"), ("friend.notes[\"x y\"]", "1\n"), ("friend.notes.z", "2\n"),
    ("friend.friend", "null\n"),
  ])
  func partIsPrinted(_ path: String, _ text: String) throws {
    try withPups { _, get in
      let output = try get("Pup", "Ada", path)
      #expect(output.status == 0 && output.text == text, "\(output.errors)")
    }
  }

  @Test func setElementIsPrinted() throws {
    try withPups { _, get in
      let outputs = try ["0", "1", "2"].map { try get("Basket", "b", "fruits[\($0)]") }
      #expect(outputs.map(\.text) == ["apple", "fig", ""])
      #expect(outputs[2].errors.contains("2 elements"))
    }
  }

  @Test func dataArePrintedAsTheyAre() throws {
    try withPups { store, _ in
      let list = try ToolProgram.run(["query", store.path, "Toy", "--json"])
      let id = try #require(list.text.firstMatch(of: /"#":([0-9]+)/)?.output.1)
      for key in ["\(id)", "#\(id)"] {
        let file = ToolProgram.temporaryURL("varve-get-")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try ToolProgram.run(
          ["get", store.path, "Toy", key, "bytes"], writingTo: file.path)
        #expect(output.status == 0, "\(output.errors)")
        #expect(try Data(contentsOf: file) == Data([0, 1, 255]))
      }
    }
  }

  @Test(arguments: [
    (["Pup", "Neo"], "The class has no object with this key.\n  Pup\n  Neo"),
    (["Toy", "ball"], "Give the id of the object"), (["Toy", "999999"], "#999999"),
    (["Pup", "Ada", "friend.size"], "The class has no such property.\n  Pup.size"),
    (["Pup", "Ada", "tags[0]"], "out of bounds"), (["Pup", "Ada", "tags.x"], "tags[0]"),
    (["Pup", "Ada", "notes.x"], "no such key"), (["Pup", "Rex", "friend.name"], "null"),
    (["Pup", "Ada", "age.x"], "has no parts"), (["Pup", "Ada", "tags["], "The path is not like"),
    (["Pup", "Ada", "a..b"], "The path is not like"), (["Cat", "1"], "no such class"),
  ])
  func missingPartFails(_ arguments: [String], _ message: String) throws {
    try withPups { store, _ in
      let output = try ToolProgram.run(["get", store.path] + arguments)
      #expect(output.status == 1 && output.text.isEmpty)
      #expect(output.errors.contains(message), "\(output.errors)")
    }
  }
}
