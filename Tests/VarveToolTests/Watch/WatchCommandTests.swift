import Foundation
import Testing
import Varve
import VarveTestSupport

@testable import VarveTool

@Suite struct WatchCommandTests {
  @Test func eachKindOfChangeIsReportedWithValues() throws {
    try PupStore.with { store in
      let realm = store.realm
      let tool = try RunningTool(["watch", store.path])
      #expect(tool.line() == "watching \(store.path) from version 1: Pup, Toy")
      try realm.write {
        let rex = realm.create(Pup.self, value: ["name": "Rex", "age": 3, "tags": ["a", "b"]])
        realm.create(Pup.self, value: ["name": "Fifi", "friend": rex])
        realm.create(Toy.self, value: ["label": "ball"])
      }
      let inserted = tool.lines(4)
      #expect(inserted[0] == "version 2")
      #expect(
        inserted[1]
          == "  Pup  inserted  \"Rex\"   age: 3, weight: null, tags: 2 elements, notes: 0 elements, friend: null"
      )
      #expect(inserted[2].hasPrefix("  Pup  inserted  \"Fifi\"  age: 0"))
      #expect(inserted[2].hasSuffix("friend: Pup \"Rex\""))
      #expect(inserted[3].hasPrefix("  Toy  inserted  #"))
      #expect(inserted[3].contains("label: \"ball\", bytes: 0 bytes, bought: "))
      let rex = try #require(realm.object(ofType: Pup.self, forPrimaryKey: "Rex"))
      try realm.write {
        rex.age = 4
        rex.weight = 1.5
        rex.tags.remove(at: 0)
        rex.tags.append("c")
        rex.notes["x"] = 1
        rex.friend = rex
      }
      #expect(
        tool.lines(2) == [
          "version 3",
          "  Pup  modified  \"Rex\"  age: 3 → 4, weight: null → 1.5, tags: 2 elements (−1 +1), "
            + "notes: 1 element (+1), friend: null → Pup \"Rex\"",
        ])
      try realm.write { realm.delete(realm.objects(Toy.self)) }
      let deleted = tool.lines(2)
      #expect(deleted[0] == "version 4")
      #expect(deleted[1].contains("deleted"))
      #expect(deleted[1].contains("label: \"ball\""))
      try tool.stop()
    }
  }

  @Test func changesOfSetsAreCounted() throws {
    try PupStore.with([Basket.self]) { store in
      let tool = try store.watch()
      let basket = try store.realm.write {
        store.realm.create(Basket.self, value: ["name": "b", "fruits": ["fig", "lime", "fig"]])
      }
      #expect(tool.lines(2)[1] == "  Basket  inserted  \"b\"  fruits: 2 elements")
      try store.realm.write {
        basket.fruits.remove("fig")
        basket.fruits.insert(objectsIn: ["kiwi", "lime", "plum"])
      }
      #expect(tool.lines(2)[1] == "  Basket  modified  \"b\"  fruits: 3 elements (−1 +2)")
      try tool.stop()
    }
  }

  @Test func jsonLinesReportSameChanges() throws {
    try PupStore.with { store in
      let realm = store.realm
      let tool = try RunningTool(["watch", "--json", store.path])
      #expect(
        tool.line()
          == #"{"version":1,"change":"start","path":"\#(store.path)","classes":["Pup","Toy"]}"#)
      try realm.write {
        realm.create(
          Toy.self,
          value: [
            "label": "a\"b\n\u{1}", "bytes": Data([1, 2]), "bought": Date(timeIntervalSince1970: 0),
          ])
        realm.create(Pup.self, value: ["name": "Rex", "weight": Double.infinity])
      }
      let lines = tool.lines(2)
      for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
      #expect(
        lines[0]
          == #"{"version":2,"since":1,"class":"Pup","change":"inserted","key":"Rex","properties":"#
          + #"{"age":{"new":0},"weight":{"new":"inf"},"#
          + #""tags":{"new":{"count":0,"deletions":0,"insertions":0,"modifications":0}},"#
          + #""notes":{"new":{"count":0,"deletions":0,"insertions":0,"modifications":0}},"#
          + #""friend":{"new":null}}}"#)
      #expect(
        lines[1].hasSuffix(
          #""properties":{"label":{"new":"a\"b\n\u0001"},"bytes":{"new":"AQI="},"#
            + #""bought":{"new":"1970-01-01T00:00:00Z"}}}"#))
      let rex = try #require(realm.object(ofType: Pup.self, forPrimaryKey: "Rex"))
      try realm.write { rex.friend = rex }
      #expect(
        tool.line() == #"{"version":3,"since":2,"class":"Pup","change":"modified","key":"Rex","#
          + #""properties":{"friend":{"old":null,"new":{"class":"Pup","key":"Rex"}}}}"#)
      try tool.stop(SIGTERM)
    }
  }

  @Test func repeatedSignalEndsWatchOrderly() throws {
    try PupStore.with { store in
      for number in [SIGINT, SIGTERM] {
        let tool = try store.watch("--json")
        for _ in 0..<20 { tool.send(number) }
        let end = try tool.wait()
        #expect(end.status == 0 && end.errors == "", "\(end)")
      }
    }
  }

  @Test func predicateReportsEnteringAndLeavingObjects() throws {
    try PupStore.with { store in
      let realm = store.realm
      let tool = try store.watch("--class", "Pup", "--where", "age >= 2 AND name BEGINSWITH[c] 'r'")
      try realm.write {
        realm.create(Pup.self, value: ["name": "Rex", "age": 1])
        realm.create(Pup.self, value: ["name": "Fifi", "age": 9])
        realm.create(Pup.self, value: ["name": "rolf", "age": 2])
      }
      #expect(tool.lines(2)[1].hasPrefix("  Pup  inserted  \"rolf\""))
      let rex = try #require(realm.object(ofType: Pup.self, forPrimaryKey: "Rex"))
      for (age, word) in [(2, "enters"), (3, "modified"), (0, "leaves")] {
        try realm.write { rex.age = age }
        #expect(tool.lines(2)[1].contains("Pup  \(word)"))
      }
      try realm.write {
        realm.create(Pup.self, value: ["name": "Rudi", "age": 5])
        realm.delete(realm.objects(Pup.self).where { $0.name == "rolf" })
      }
      let last = tool.lines(3)
      #expect(last[2].contains("\"Rudi\""))
      #expect(last[1].contains("deleted") && last[1].contains("\"rolf\""))
      try tool.stop()
    }
  }

  @Test func commitsOfOtherAndDyingProcessesAreReported() throws {
    try PupStore.with { store in
      let tool = try store.watch("--json", "--class", "Pup")
      let writer = TestProcess(["watchCommit", store.path, "500"])
      #expect(writer.line() == "ready")
      writer.go()
      // Every change set begins at the end of the previous one, and no change is omitted.
      var age = -1
      while age < 500, let line = tool.line() {
        let change = try JSONDecoder().decode(AgeLine.self, from: Data(line.utf8))
        if let old = change.properties.age.old { #expect(old == age) }
        age = try #require(change.properties.age.new)
      }
      #expect(age == 500)
      let dying = TestProcess(["watchCommitAndDie", store.path])
      #expect(tool.line()?.contains(#""key":"Ghost""#) == true)
      #expect(dying.wait() & 0x7F == SIGKILL)
      try tool.stop()
    }
  }

  @Test func classesAndPropertiesAddedLaterAreReported() throws {
    try PupStore.with { store in
      let tool = try store.watch()
      let writer = TestProcess(["realmCount", store.path, "1", "7"])
      #expect(writer.line() == "ready")
      writer.go()
      var output = ""
      while !output.contains("numbers: 1 element"), let line = tool.line() { output += line + "\n" }
      #expect(output.contains("Crate"))
      try tool.stop()
    }
  }

  @Test func storeIsNotChanged() throws {
    try PupStore.with { store in
      let before = try Data(contentsOf: URL(filePath: store.path))
      let tool = try store.watch()
      try tool.stop()
      #expect(try Data(contentsOf: URL(filePath: store.path)) == before)
    }
  }

  @Test func closedOutputEndsWatch() throws {
    try PupStore.with { store in
      let tool = try store.watch()
      try tool.closeOutput()
      let end = try tool.wait()
      #expect(end.status == 0)
      #expect(end.errors == "")
    }
  }

  @Test func watchEndsInMiddleOfLongChangeSet() throws {
    try PupStore.with { store in
      for signal in [SIGTERM, 0] {
        let tool = try store.watch()
        try store.realm.write {
          for number in 0..<5000 {
            store.realm.create(
              Pup.self, value: ["name": "pup \(number)", "age": Int(signal)], update: .modified)
          }
        }
        _ = tool.line()
        if signal == 0 { try tool.closeOutput() } else { tool.send(signal) }
        #expect(try tool.wait().status == 0)
        try store.realm.write { store.realm.delete(store.realm.objects(Pup.self)) }
      }
    }
  }

  @Test func removedStoreIsReported() throws {
    try PupStore.with { store in
      let tool = try store.watch()
      try FileManager.default.moveItem(atPath: store.path, toPath: store.path + "-away")
      let end = try tool.wait()
      #expect(end.status == 1)
      #expect(end.errors == "Error: The store was replaced or removed.\n  \(store.path)\n")
      try FileManager.default.moveItem(atPath: store.path + "-away", toPath: store.path)
    }
  }
}

/// A line about a pup's age.
private struct AgeLine: Decodable {
  struct Properties: Decodable {
    struct Age: Decodable {
      var old: Int?
      var new: Int?
    }
    var age: Age
  }
  var properties: Properties
}
