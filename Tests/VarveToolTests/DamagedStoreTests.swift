import Foundation
import Testing
import Varve
import VarveTestSupport

/// The commands on stores with damaged pages.
@Suite struct DamagedStoreTests {
  /// Runs a body with a store of 600 pups with collections, which no process has open.
  private func withPups(_ body: (_ path: String, _ copy: String) throws -> Void) throws {
    try PupStore.with([Pup.self, Keeper.self]) { store in
      try store.realm.write {
        let pups = (0..<600).map { number in
          Pup(
            value: [
              "name": "pup \(number)", "age": number,
              "tags": (0..<number % 40).map { "tag \($0)" }, "notes": ["a": number],
            ])
        }
        store.realm.add(pups)
        store.realm.add(Keeper(value: ["name": "Ann", "pups": pups]))
      }
      let copy = store.path + ".copy"
      try store.realm.writeCopy(configuration: Realm.Configuration(fileURL: URL(filePath: copy)))
      try body(store.path, copy)
    }
  }

  @Test func noCommandDiesOfDamage() throws {
    var random = SeededRandom()
    try withPups { path, copy in
      let pristine = try Data(contentsOf: URL(filePath: copy))
      let commands: [[String]] = [
        ["query", "@", "Pup", "--json"], ["query", "@", "Pup", "--json", "--sort", "age"],
        ["export", "@"], ["query", "@", "Pup", "age > 5", "--sum", "age"],
        ["query", "@", "Pup", "@links.Keeper.pups.@count > 0", "--group-by", "age"],
        ["get", "@", "Pup", "pup 17"], ["get", "@", "Keeper", "Ann", "pups[3].name"],
        ["schema", "@"], ["info", "@", "--sizes"], ["stats", "@"], ["check", "@"],
        ["edit", "set", "@", "Pup", "age=1", "--all", "--write", "-q"],
        ["edit", "delete", "@", "Pup", "--where", "age > 10", "-q"], ["diff", path, "@"],
        ["backup", "@", "@.backup"], ["salvage", "@", "@.salvaged"],
        ["compact", "@"],
      ]
      // All objects, exactly, or an error.
      let whole = try commands.prefix(3).map {
        try ToolProgram.run($0.map { $0 == "@" ? copy : $0 }).text
      }
      for number in 0..<8 {
        for (index, arguments) in commands.enumerated() {
          var bytes = pristine
          for _ in 0..<random.int(1...6) {
            let page = random.int(0...(bytes.count / 4096 - 1))
            bytes[page * 4096 + random.below(random.oneIn(2) ? 40 : 4096)] ^= UInt8(
              random.int(1...255))
          }
          let directory = ToolProgram.temporaryURL("varve-damaged-")
          try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
          defer { try? FileManager.default.removeItem(at: directory) }
          let damaged = directory.appending(path: "store.varve")
          try bytes.write(to: damaged)
          let output = try ToolProgram.run(
            arguments.map { $0.replacingOccurrences(of: "@.", with: damaged.path + ".") }
              .map { $0 == "@" ? damaged.path : $0 })
          #expect(output.status <= 2, "\(random) case \(number) \(arguments): \(output.errors)")
          #expect(
            output.status == 0 || output.errors.contains("Error: ") || arguments[0] == "diff",
            "\(random) case \(number) \(arguments)")
          if index < whole.count, output.status == 0 {
            #expect(output.text == whole[index], "\(random) case \(number) \(arguments)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    ["query", "@", "Pup", "--json"], ["query", "@", "Pup", "--sum", "age"], ["stats", "@"],
    ["query", "@", "Pup", "age > 5", "--count"], ["get", "@", "Pup", "pup 17"], ["export", "@"],
    ["diff", "@", "@"], ["edit", "set", "@", "Pup", "age=1", "--all", "--write", "-q"],
  ])
  func damagedPagesAreReported(_ arguments: [String]) throws {
    try withPups { _, copy in
      var bytes = try Data(contentsOf: URL(filePath: copy))
      let name = Data("pup 17".utf8)
      // The pages with the row of the object, and with other occurrences of its name.
      while let range = bytes.range(of: name) {
        let page = range.lowerBound / 4096 * 4096
        bytes.replaceSubrange(page + 12..<page + 16, with: [0xFF, 0xFF, 0xFF, 0xFF])
        bytes.replaceSubrange(range, with: Data("PUP 17".utf8))
      }
      try bytes.write(to: URL(filePath: copy))
      let output = try ToolProgram.run(arguments.map { $0 == "@" ? copy : $0 })
      #expect(output.status == (arguments[0] == "diff" ? 2 : 1), "\(output)")
      #expect(output.errors.hasPrefix("Error: "), "\(output.errors)")
    }
  }

  /// Runs a body with the path of a store of crates, of which one property has one wrong byte.
  private func withWrongByte(in property: String, _ body: (String) throws -> Void) throws {
    try PupStore.with([Crate.self, Keeper.self]) { store in
      let mark = { (name: String) in name == property ? "the mark" : "no mark " + name }
      try store.realm.write {
        let crate = store.realm.create(
          Crate.self,
          value: [
            "id": 1, "text": mark("text"),
            "body": Data((mark("body") + ".").utf8) + Data(count: 5000),
            "keeper": Keeper(value: ["name": mark("keeper")]),
          ])
        for number in 0..<3000 {
          let text = number == 2500 ? mark("list") : "element \(number)"
          crate.list.append(text)
          crate.map["key \(number)"] = number == 2500 ? mark("map") : text
        }
        crate.set.insert(objectsIn: (0..<3000).map { $0 == 2500 ? mark("set") : "element \($0)" })
        crate.short.append(objectsIn: ["a", mark("short")])
      }
      let copy = store.path + ".copy"
      try store.realm.writeCopy(configuration: Realm.Configuration(fileURL: URL(filePath: copy)))
      var bytes = try Data(contentsOf: URL(filePath: copy))
      let found = try #require(bytes.range(of: Data("the mark".utf8)))
      bytes[found.lowerBound + 4] ^= 1
      try bytes.write(to: URL(filePath: copy))
      try body(copy)
    }
  }

  @Test(arguments: [
    ("text", ["get", "@", "Crate", "1", "text"]), ("text", ["get", "@", "Crate", "1"]),
    ("text", ["query", "@", "Crate"]), ("text", ["query", "@", "Crate", "--group-by", "text"]),
    ("text", ["query", "@", "Crate", "--sum", "id"]), ("text", ["export", "@"]),
    ("text", ["edit", "set", "@", "Crate", "text=x", "--all", "--write"]),
    ("text", ["edit", "delete", "@", "Crate", "--all", "--write"]), ("text", ["diff", "@", "@"]),
    ("body", ["get", "@", "Crate", "1", "body"]),
    ("body", ["get", "@", "Crate", "1", "body", "--json"]),
    ("body", ["query", "@", "Crate", "--json"]),
    ("list", ["get", "@", "Crate", "1", "list[2500]"]),
    ("list", ["get", "@", "Crate", "1", "list"]), ("list", ["query", "@", "Crate", "--as", "csv"]),
    ("map", ["get", "@", "Crate", "1", "map['key 2500']"]),
    ("map", ["get", "@", "Crate", "1", "map"]),
    ("set", ["get", "@", "Crate", "1", "set"]), ("short", ["get", "@", "Crate", "1", "short[1]"]),
    ("keeper", ["query", "@", "Crate"]), ("keeper", ["query", "@", "Crate", "--json"]),
    ("keeper", ["query", "@", "Crate", "--columns", "keeper.name"]),
    ("keeper", ["query", "@", "Crate", "--group-by", "keeper.name"]),
    ("keeper", ["get", "@", "Crate", "1", "keeper.name"]),
    ("keeper", ["export", "@", "--class", "Crate"]),
  ])
  func wrongBytesAreNotPrinted(_ property: String, _ arguments: [String]) throws {
    try withWrongByte(in: property) { copy in
      let output = try ToolProgram.run(arguments.map { $0 == "@" ? copy : $0 })
      #expect(output.status == (arguments[0] == "diff" ? 2 : 1), "\(output.text.prefix(300))")
      #expect(
        output.errors.contains("damaged") || output.errors.contains("checksum"), "\(output.errors)")
      // Nothing gave the damage a valid checksum.
      #expect(try ToolProgram.run(["check", "-q", copy]).status == 1)
    }
  }
}

/// A class with values in and outside of its rows.
@Model final class Crate: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text: String
  @Persisted var body: Data
  @Persisted var list: List<String>
  @Persisted var short: List<String>
  @Persisted var map: Map<String, String>
  @Persisted var set: MutableSet<String>
  @Persisted var keeper: Keeper?
}
