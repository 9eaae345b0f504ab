import Foundation
import Testing
import Varve
import VarveJSONLines
import VarveTestSupport

@Suite struct RoundTripTests {
  private static let types: [ObjectBase.Type] = [
    Ware.self, Maker.self, Place.self, Label.self, Crate.self, Lid.self,
  ]

  @Test(arguments: 0..<12)
  func randomStoresRoundTripByteForByte(run: Int) throws {
    var seeds = SeededRandom()
    for _ in 0..<run { _ = seeds.next() }
    let random = SeededRandom(seed: seeds.seed &+ UInt64(run))
    try TransferDirectory.with { directory in
      let realm = try directory.open("first.varve", Self.types)
      var wares = RandomWares(random, realm)
      try wares.fill(run * 15)
      let first = try directory.text(realm)
      let copy = try directory.importing(first)
      let second = try directory.text(copy)
      #expect(first == second, "\(random)")
      #expect(Array(first.utf8) == Array(second.utf8), "\(random)")
      #expect(copy.objects(Ware.self).count == realm.objects(Ware.self).count, "\(random)")
      // The order of the lines does not matter: every link may point to a later line.
      let lines = first.split(separator: "\n", omittingEmptySubsequences: true)
      let turned = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n")
      let third = try directory.importing(turned)
      for maker in realm.objects(Maker.self) {
        let other = third.object(ofType: Maker.self, forPrimaryKey: maker.name)
        #expect(other?.friends.map(\.name) == maker.friends.map(\.name), "\(random)")
      }
    }
  }

  @Test func textMatchesDocumentation() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Maker.self, Place.self, Crate.self, Lid.self])
      try realm.write {
        let rome = realm.create(Place.self, value: ["name": "Rome"])
        let anna = realm.create(Maker.self, value: ["name": "Anna"])
        realm.create(Maker.self, value: ["name": "Bo", "home": rome, "friends": [anna]])
        rome.neighbour = rome
        rome.known["d"] = .double(1)
        rome.known["a"] = .object(anna)
        rome.known["i"] = .int(9_007_199_254_740_993)
        rome.known["n"] = .some(.none)
        rome.known["s"] = .string("5")
      }
      let lines = try directory.text(realm).split(separator: "\n")
      #expect(
        lines[0].hasPrefix(
          #"{"format":"varve","version":1,"schemaVersion":0,"classes":[{"name":"Crate","embedded":true,"#
        ))
      #expect(
        lines[0].hasSuffix(
          #"{"name":"Maker","objects":2,"properties":[{"name":"name","type":"string","primaryKey":true},{"name":"home","type":"link","class":"Place","optional":true},{"name":"friends","type":"link","class":"Maker","collection":"list"}]},{"name":"Place","objects":1,"properties":[{"name":"name","type":"string"},{"name":"neighbour","type":"link","class":"Place","optional":true},{"name":"known","type":"mixed","collection":"dictionary"}]}]}"#
        ), "\(lines[0])")
      let rome = #"{"class":"Place","id":1}"#
      #expect(
        lines.dropFirst().map(String.init) == [
          #"{"class":"Maker","key":"Anna","values":{"home":null,"friends":[]}}"#,
          #"{"class":"Maker","key":"Bo","values":{"home":\#(rome),"friends":[{"class":"Maker","key":"Anna"}]}}"#,
          #"{"class":"Place","id":1,"values":{"name":"Rome","neighbour":\#(rome),"known":{"a":{"link":{"class":"Maker","key":"Anna"}},"d":{"double":1.0},"i":{"int":9007199254740993},"n":null,"s":"5"}}}"#,
        ])
    }
  }

  @Test func embeddedObjectsAreNestedInOwners() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Ware.self])
      try realm.write {
        let place = realm.create(Place.self, value: ["name": "Oslo"])
        let ware = realm.create(Ware.self, value: ["number": 1])
        let crate = Crate()
        crate.size = 3
        crate.from = place
        ware.boxes.append(crate)
      }
      let text = try directory.text(realm)
      #expect(
        text.contains(
          #""boxes":[{"size":3,"from":{"class":"Place","id":1},"lid":null}],"boxesByName":{}"#))
      let copy = try directory.importing(text)
      let box = try #require(copy.objects(Ware.self).first?.boxes.first)
      #expect(box.size == 3)
      #expect(box.from?.name == "Oslo")
    }
  }

  @Test func indexesAndKeysAreCreated() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", Self.types)
      try realm.write { realm.create(Ware.self, value: ["number": 4, "title": "x"]) }
      let copy = try directory.importing(try directory.text(realm))
      // A store without problems has every entry of every index that it lists.
      #expect(
        try directory.text(copy).contains(#"{"name":"title","type":"string","indexed":true}"#))
      #expect(copy.object(ofType: Ware.self, forPrimaryKey: 4)?.title == "x")
      let error = thrownError {
        try copy.write { _ = copy.create(Ware.self, value: ["number": 4]) }
      }
      #expect(error?.code == .duplicatePrimaryKey)
    }
  }

  @Test func idsAreKeptAndNeverReused() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Place.self])
      try realm.write {
        for name in ["a", "b", "c"] { realm.create(Place.self, value: ["name": name]) }
        realm.delete(realm.objects(Place.self).where { $0.name == "b" })
      }
      let text = try directory.text(realm)
      let copy = try directory.importing(text)
      try copy.write { copy.create(Place.self, value: ["name": "d"]) }
      #expect(try directory.text(copy).contains(#""id":4,"values":{"name":"d""#))

      let used = try directory.open("used.varve", [Place.self])
      try used.write {
        for _ in 0..<5 { used.create(Place.self) }
        used.deleteAll()
      }
      let file = directory.url.appendingPathComponent("a.jsonl")
      try Data(text.utf8).write(to: file)
      #expect(try used.importJSONLines(from: file) == 2)
      #expect(try directory.text(used).contains(#""id":6,"values":{"name":"a""#))
    }
  }

  @Test func exportIsOneVersion() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Place.self])
      try realm.write { for _ in 0..<3000 { realm.create(Place.self) } }
      let file = directory.url.appendingPathComponent("a.jsonl")
      var written = false
      let count = try realm.exportJSONLines(to: file) { _, _ in
        guard !written else { return }
        written = true
        try realm.write { realm.deleteAll() }
      }
      #expect(count == 3000)
      #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count == 3001)
    }
  }

  @Test func onlyChosenClassesAreWritten() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", Self.types)
      try realm.write {
        realm.create(Maker.self, value: ["name": "m", "home": ["name": "p"]])
        realm.create(Label.self)
      }
      let text = try directory.text(realm, classes: ["Label", "Place"])
      let lines = text.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines[1].hasPrefix(#"{"class":"Label""#))
      #expect(lines[2].hasPrefix(#"{"class":"Place""#))
      #expect(try directory.importing(text).objects(Place.self).count == 1)
      // The `home` of the maker is omitted.
      let makers = try directory.text(realm, classes: ["Maker"])
      let error = thrownError { try directory.importing(makers) }
      #expect(error?.details == ["line 2"])
      #expect(error?.propertyName == "home")
      for name in ["None", "Crate"] {
        let error = thrownError { try directory.text(realm, classes: [name]) }
        #expect(error?.className == name)
      }
    }
  }

  @Test func failedExportLeavesOldFile() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("a.varve", [Maker.self])
      let url = directory.url.appendingPathComponent("old.jsonl")
      try Data("old".utf8).write(to: url)
      struct Stop: Error {}
      var isStopped = false
      do {
        try realm.exportJSONLines(to: url) { _, _ in throw Stop() }
      } catch is Stop {
        isStopped = true
      }
      #expect(isStopped)
      #expect(try String(contentsOf: url, encoding: .utf8) == "old")
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
      #expect(!names.contains { $0.hasPrefix("old.jsonl.") })
    }
  }
}
