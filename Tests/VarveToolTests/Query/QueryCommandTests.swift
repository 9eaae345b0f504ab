import Foundation
import Testing
import Varve

@Suite struct QueryCommandTests {
  /// Runs a body with a store of three pups and a toy, and with a function that queries the store.
  private func withPups(
    _ body: (PupStore, (String...) throws -> ToolProgram.Output) throws -> Void
  ) throws {
    try PupStore.with { store in
      try store.realm.write {
        let rex = store.realm.create(
          Pup.self, value: ["name": "Rex", "age": 3, "weight": 2.5, "tags": ["a", "b"]])
        store.realm.add(Pup(value: ["name": "Bo, \"the\" dog", "age": 1, "friend": rex]))
        store.realm.add(Pup(value: ["name": "Ada", "age": 3]))
        store.realm.add(Toy(value: ["label": "ball", "bytes": Data([1, 2, 3])]))
      }
      try body(store) { try ToolProgram.run(["query", store.path] + $0) }
    }
  }

  @Test func objectsArePrintedAsTable() throws {
    try withPups { _, query in
      let output = try query("Pup", "age = 3 SORT(name ASC)")
      #expect(output.status == 0 && output.errors.isEmpty, "\(output.errors)")
      #expect(
        output.text == """
          name  age  weight  tags        notes       friend
          Ada     3    null  0 elements  0 elements  null
          Rex     3     2.5  2 elements  0 elements  null

          """)
    }
  }

  @Test func tableHasRequestedWidth() throws {
    try withPups { _, query in
      let output = try query("Pup", "name = 'Ada'", "--columns", "name,tags,notes", "--width", "22")
      #expect(output.text.split(separator: "\n").allSatisfy { $0.count <= 22 }, "\(output.text)")
      #expect(output.text.contains("Ada") && output.text.contains("…"))
      #expect(try query("Pup", "--width", "0").status == 64)
    }
  }

  @Test func formatIsAnotherNameOfAs() throws {
    try withPups { _, query in
      let csv = try query("Pup", "name = 'Ada'", "--columns", "name", "--format", "csv")
      #expect(csv.text == "name\nAda\n")
    }
  }

  @Test func linkIsPrintedWithKey() throws {
    try withPups { _, query in
      let output = try query("Pup", "friend != nil", "--columns", "age, friend, friend.age")
      #expect(output.text == "age  friend     friend.age\n  1  Pup \"Rex\"           3\n")
    }
  }

  @Test func predicateFollowsLinksBackwards() throws {
    try PupStore.with([Pup.self, Keeper.self]) { store in
      try store.realm.write {
        let rex = store.realm.create(Pup.self, value: ["name": "Rex"])
        store.realm.add(Pup(value: ["name": "Bo"]))
        store.realm.add(Keeper(value: ["name": "Ann", "pups": [rex]]))
      }
      let predicate = "ANY @links.Keeper.pups.name = 'Ann'"
      let output = try ToolProgram.run(
        ["query", store.path, "Pup", predicate, "--columns", "name", "--as", "csv"])
      #expect(output.text == "name\nRex\n", "\(output)")
      let without = try ToolProgram.run(
        ["query", store.path, "Pup", "@links.Keeper.pups.@count = 0", "--count"])
      #expect(without.text == "1\n", "\(without)")
      let unknown = try ToolProgram.run(
        ["query", store.path, "Pup", "@links.Cat.pups.@count = 0", "--count"])
      #expect(unknown.status == 1 && unknown.errors.contains("The class Cat is unknown."))
    }
  }

  @Test func objectsArePrintedAsJSON() throws {
    try withPups { _, query in
      let output = try query("Pup", "name = 'Rex' OR age = 1", "--sort", "age DESC", "--json")
      #expect(
        output.text == """
          {"name":"Rex","age":3,"weight":2.5,"tags":["a","b"],"notes":{},"friend":null}
          {"name":"Bo, \\"the\\" dog","age":1,"weight":null,"tags":[],"notes":{},\
          "friend":{"class":"Pup","key":"Rex"}}

          """)
    }
  }

  @Test func objectsArePrintedAsCSV() throws {
    try withPups { _, query in
      let output = try query(
        "Pup", "--as", "csv", "--columns", "name,weight,tags", "--sort", "name")
      #expect(
        output.text == """
          name,weight,tags
          Ada,,[]
          "Bo, ""the"" dog",,[]
          Rex,2.5,"[""a"",""b""]"

          """)
    }
  }

  @Test func classWithoutPrimaryKeyHasIDs() throws {
    try withPups { _, query in
      let output = try query("Toy", "--columns", "#,label,bytes", "--as", "json")
      let id = try #require(output.text.firstMatch(of: /^\{"#":([0-9]+),/)?.output.1)
      #expect(output.text == "{\"#\":\(id),\"label\":\"ball\",\"bytes\":\"AQID\"}\n")
    }
  }

  @Test func rowsAreLimited() throws {
    try withPups { _, query in
      let output = try query(
        "Pup", "--sort", "name", "--offset", "1", "--limit", "1", "--columns", "name", "--as", "csv"
      )
      #expect(output.text == "name\n\"Bo, \"\"the\"\" dog\"\n")
      #expect(try query("Pup", "--limit", "0", "--json").text == "")
    }
  }

  @Test func duplicatesAreRemoved() throws {
    try withPups { _, query in
      let output = try query(
        "Pup", "--distinct", "age", "--sort", "age", "--columns", "age", "--as", "csv")
      #expect(output.text == "age\n1\n3\n")
    }
  }

  @Test func objectsAreCounted() throws {
    try withPups { _, query in
      let all = try query("Pup", "--count")
      #expect(all.text == "3\n")
      #expect(try query("Pup", "age > 1", "--count").text == "2\n")
      #expect(try query("Pup", "age > 1 LIMIT(1)", "--count", "--json").text == "{\"count\":1}\n")
    }
  }

  @Test func propertiesAreAggregated() throws {
    try withPups { _, query in
      let output = try query(
        "Pup", "--sum", "age", "--average", "age,weight", "--min", "name", "--max", "age", "--json")
      #expect(
        output.text == """
          {"sum(age)":7,"average(age)":2.3333333333333335,"average(weight)":2.5,\
          "min(name)":"Ada","max(age)":3}

          """)
      let none = try query("Pup", "age > 9", "--sum", "age", "--max", "age", "--json")
      #expect(none.text == "{\"sum(age)\":0,\"max(age)\":null}\n")
    }
  }

  @Test func wideSumIsExact() throws {
    try withPups { store, query in
      try store.realm.write { for pup in store.realm.objects(Pup.self) { pup.age = .max } }
      let output = try query("Pup", "--sum", "age")
      #expect(output.text == "27670116110564327421\n")
    }
  }

  @Test func quoteBeforeCombiningMarkIsDoubled() throws {
    try withPups { store, query in
      try store.realm.write { store.realm.add(Pup(value: ["name": "q\"\u{301}b,c", "age": 9])) }
      let output = try query("Pup", "age = 9", "--columns", "name", "--as", "csv")
      #expect(output.text.utf8.elementsEqual("name\n\"q\"\"\u{301}b,c\"\n".utf8))
    }
  }

  @Test func suffixesNeedNoCondition() throws {
    try withPups { _, query in
      let output = try query("Pup", "SORT(name ASC) LIMIT(1)", "--columns", "name", "--as", "csv")
      #expect(output.text == "name\nAda\n", "\(output)")
    }
  }

  @Test func longValuesAreShownAsTheirSizes() throws {
    try withPups { store, query in
      try store.realm.write {
        store.realm.deleteAll()
        store.realm.add(
          Toy(value: ["label": String(repeating: "x", count: 100_000), "bytes": Data(count: 2048)]))
      }
      let output = try query("Toy", "--columns", "label,bytes")
      #expect(output.text == "label             bytes\n97.7 KiB of text  2.0 KiB\n", "\(output)")
      #expect(try query("Toy", "--columns", "label", "--json").text.utf8.count == 100_013)
    }
  }

  @Test func objectsAreGrouped() throws {
    try withPups { _, query in
      let output = try query("Pup", "--group-by", "age", "--count", "--max", "name", "--as", "csv")
      #expect(output.text == "age,count,max(name)\n1,1,\"Bo, \"\"the\"\" dog\"\n3,2,Rex\n")
      let sorted = try query(
        "Pup", "--group-by", "age", "--sort", "count DESC", "--limit", "1", "--json")
      #expect(sorted.text == "{\"age\":3,\"count\":2}\n")
    }
  }

  @Test func planIsExplained() throws {
    try withPups { _, query in
      let output = try query("Pup", "name = 'Rex'", "--explain")
      #expect(output.text == "primary key name == \"Rex\" (about 1)\n")
      #expect(
        try query("Pup", "--explain", "--json").text == "{\"plan\":[\"scan Pup (3 objects)\"]}\n")
    }
  }

  @Test func queryReadsCommitsOfOtherProcesses() throws {
    try withPups { store, query in
      #expect(try query("Pup", "--count").text == "3\n")
      try store.realm.write { store.realm.add(Pup(value: ["name": "Neo"])) }
      #expect(try query("Pup", "--count").text == "4\n")
    }
  }

  @Test(arguments: [
    (["Cat"], "The store has no such class.\n  Cat\n  classes: Pup, Toy"),
    (["Pup", "age >"], "predicate"), (["Pup", "size = 1"], "size"),
    (
      ["Pup", "--columns", "size"],
      "The class has no such property.\n  Pup.size\n  properties: name"
    ),
    (["Pup", "--columns", "friend.tags"], "cannot be a column"),
    (["Pup", "--sort", "tags"], "Objects cannot be sorted by a collection."),
    (["Pup", "--sort", "age UP"], "ASC or DESC"),
    (["Pup", "--sum", "name"], "have no sum"), (["Pup", "--sum", "tags"], "neither a sum"),
    (["Pup", "--group-by", "age", "--sort", "name"], "The output has no such column."),
  ])
  func wrongQueryFails(_ arguments: [String], _ message: String) throws {
    try withPups { store, _ in
      let output = try ToolProgram.run(["query", store.path] + arguments)
      #expect(output.status == 1 && output.text.isEmpty)
      #expect(output.errors.hasPrefix("Error: "))
      #expect(output.errors.contains(message), "\(output.errors)")
    }
  }

  @Test(arguments: [
    ["--limit", "-1"], ["--count", "--columns", "age"], ["--count", "--limit", "1"],
    ["--as", "xml"], ["--as", "csv", "--json"], ["--columns", "age,age"], ["--columns", ""],
    ["--sort", "name,"], ["--group-by", ""],
  ])
  func wrongOptionsAreUsageErrors(_ options: [String]) throws {
    try withPups { store, _ in
      let output = try ToolProgram.run(["query", store.path, "Pup"] + options)
      #expect(output.status == 64 && output.text.isEmpty)
    }
  }

  @Test func closedOutputIsNoError() throws {
    try withPups { store, _ in
      try store.realm.write {
        for number in 0..<50_000 { store.realm.add(Pup(value: ["name": "\(number)"])) }
      }
      let tool = try RunningTool(["query", store.path, "Pup", "--json"])
      _ = tool.line()
      try tool.closeOutput()
      let end = try tool.wait()
      #expect(end.status == 0 && end.errors.isEmpty)
    }
  }

  @Test func fullDiskIsReported() throws {
    try withPups { store, _ in
      let output = try ToolProgram.run(["query", store.path, "Pup"], writingTo: "/dev/full")
      #expect(output.status == 1)
      #expect(output.errors == "Error: The output cannot be written: No space left on device\n")
    }
  }
}
