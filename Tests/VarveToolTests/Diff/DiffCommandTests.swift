import Foundation
import Testing
import Varve

@Suite struct DiffCommandTests {
  @Test func changesOfCopyArePrinted() throws {
    try PupStore.with { store in
      let realm = store.realm
      try realm.write {
        realm.add(Pup(value: ["name": "Rex", "age": 3, "tags": ["a"]]))
        realm.add(Pup(value: ["name": "Bo"]))
        realm.add(Toy(value: ["label": "ball"]))
      }
      let copy = store.path + ".copy"
      #expect(try ToolProgram.run(["backup", store.path, copy]).status == 0)
      let same = try ToolProgram.run(["diff", copy, store.path])
      #expect(same.status == 0 && same.text.isEmpty && same.errors.isEmpty, "\(same)")

      try realm.write {
        let rex = realm.object(ofType: Pup.self, forPrimaryKey: "Rex")
        rex?.age = 4
        rex?.tags.append("b")
        if let bo = realm.object(ofType: Pup.self, forPrimaryKey: "Bo") { realm.delete(bo) }
        realm.add(Pup(value: ["name": "Ada", "friend": rex as Any]))
        realm.objects(Toy.self).first?.label = "bone"
      }
      let output = try ToolProgram.run(["diff", "--json", copy, store.path])
      #expect(output.status == 1 && output.errors.isEmpty, "\(output.errors)")
      let lines = output.text.split(separator: "\n")
      #expect(lines.count == 4, "\(output.text)")
      #expect(
        output.text.contains(
          """
          {"class":"Pup","change":"modified","key":"Rex","properties":{"age":{"old":3,"new":4},\
          "tags":{"old":["a"],"new":["a","b"]}}}
          """), "\(output.text)")
      #expect(output.text.contains("{\"class\":\"Pup\",\"change\":\"deleted\",\"key\":\"Bo\""))
      #expect(output.text.contains("{\"class\":\"Pup\",\"change\":\"inserted\",\"key\":\"Ada\""))
      #expect(
        output.text.contains("\"properties\":{\"label\":{\"old\":\"ball\",\"new\":\"bone\"}}"))

      let text = try ToolProgram.run(["diff", copy, store.path])
      #expect(text.status == 1 && text.text.contains("age: 3 → 4, tags: [\"a\"] → [\"a\",\"b\"]"))
      let quiet = try ToolProgram.run(["diff", "-q", copy, store.path])
      #expect(quiet.status == 1 && quiet.text.isEmpty)
    }
  }

  @Test func linksByIDAreNotComparedInUnrelatedStores() throws {
    func fill(_ store: PupStore, _ label: String) throws {
      try store.realm.write {
        let shelf = store.realm.create(ToyBox.self, value: ["id": 1])
        shelf.toy = Toy(value: ["label": label])
      }
    }
    try PupStore.with([ToyBox.self, Toy.self]) { store in
      try PupStore.with([ToyBox.self, Toy.self]) { other in
        try fill(store, "ball")
        try fill(other, "bone")
        let output = try ToolProgram.run(["diff", "--class", "ToyBox", store.path, other.path])
        #expect(output.status == 2 && output.errors.contains("ToyBox.toy"), "\(output)")
      }
      let copy = store.path + ".copy"
      try store.realm.writeCopy(configuration: Realm.Configuration(fileURL: URL(filePath: copy)))
      #expect(try ToolProgram.run(["diff", "--class", "ToyBox", store.path, copy]).status == 0)
    }
  }

  @Test func storeEqualsItself() throws {
    try PupStore.with { store in
      try store.realm.write { store.realm.add(Toy(value: ["label": "ball"])) }
      #expect(try ToolProgram.run(["diff", store.path, store.path]).status == 0)
    }
  }

  @Test func schemasAreCompared() throws {
    try PupStore.with([Pup.self]) { store in
      try PupStore.with([Pup.self, Basket.self]) { other in
        let output = try ToolProgram.run(["diff", store.path, other.path])
        #expect(output.status == 1)
        #expect(output.text == "  Basket  schema  none → class\n", "\(output.text)")
      }
    }
  }

  @Test func equalStringsWithDifferentBytesDiffer() throws {
    try PupStore.with { store in
      try store.realm.write { store.realm.add(Pup(value: ["name": "Rex", "tags": ["\u{E9}"]])) }
      let copy = store.path + ".copy"
      #expect(try ToolProgram.run(["backup", "-q", store.path, copy]).status == 0)
      try store.realm.write {
        store.realm.object(ofType: Pup.self, forPrimaryKey: "Rex")?.tags[0] = "e\u{301}"
      }
      #expect(try ToolProgram.run(["diff", copy, store.path]).status == 1)
    }
  }

  @Test func emptyClassesWithoutKeysAreEqual() throws {
    try PupStore.with { store in
      try PupStore.with { other in
        let output = try ToolProgram.run(["diff", store.path, other.path])
        #expect(output.status == 0 && output.text.isEmpty, "\(output)")
      }
    }
  }

  @Test func unknownClassIsRefused() throws {
    try PupStore.with { store in
      let output = try ToolProgram.run(["diff", "--class", "Cat", store.path, store.path])
      #expect(output.status == 2 && output.errors.contains("no such class"), "\(output)")
    }
  }

  @Test func classesAreChosen() throws {
    try PupStore.with { store in
      let copy = store.path + ".copy"
      #expect(try ToolProgram.run(["backup", "-q", store.path, copy]).status == 0)
      try store.realm.write { store.realm.add(Toy(value: ["label": "ball"])) }
      #expect(try ToolProgram.run(["diff", "--class", "Pup", copy, store.path]).status == 0)
      #expect(try ToolProgram.run(["diff", "--class", "Toy", copy, store.path]).status == 1)
    }
  }

  @Test func objectsWithoutKeysNeedCommonOrigin() throws {
    try PupStore.with { store in
      try PupStore.with { other in
        for realm in [store.realm, other.realm] {
          try realm.write { realm.add(Toy(value: ["label": "ball"])) }
        }
        let output = try ToolProgram.run(["diff", store.path, other.path])
        #expect(output.status == 2)
        #expect(output.errors.contains("neither file is a copy of the other"), "\(output.errors)")
      }
    }
  }
}
