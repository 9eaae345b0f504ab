import Foundation
import Testing
import Varve
import VarveJSONLines

/// Predicates over links to classes that no program declares.
@Suite struct UndeclaredLinksTests {
  private func property(_ name: String, _ type: String = "string", _ rest: String = "") -> String {
    "{\"name\":\"\(name)\",\"type\":\"\(type)\"\(rest)}"
  }

  /// Imports undeclared classes into a new dynamic store.
  private func withStore(
    _ classes: [String], _ objects: [String], _ body: (Realm) throws -> Void
  ) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "varve-links-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let header =
      "{\"format\":\"varve\",\"version\":1,\"schemaVersion\":0,\"classes\":[\(classes.joined(separator: ","))]}"
    let text = directory.appending(path: "text.jsonl")
    try Data(([header] + objects + [""]).joined(separator: "\n").utf8).write(to: text)
    let configuration = Realm.Configuration(
      fileURL: directory.appending(path: "store.varve"), isDynamic: true)
    let realm = try Realm(configuration: configuration)
    try realm.importJSONLines(from: text)
    try body(realm)
    try Realm.close(configuration)
  }

  @Test func linkingClassIsThatOfFile() throws {
    let key = property("name", "string", ",\"primaryKey\":true")
    let moon = "{\"name\":\"UndeclaredMoon\",\"objects\":2,\"properties\":[\(key)]}"
    let moons = [
      #"{"class":"UndeclaredMoon","key":"Io","values":{}}"#,
      #"{"class":"UndeclaredMoon","key":"Luna","values":{}}"#,
    ]
    func names(_ realm: Realm, _ predicate: String) throws -> [String?] {
      try realm.dynamicObjects("UndeclaredMoon").filter(predicate).map { $0["name"] as? String }
    }
    func planet(_ link: String) -> String {
      "{\"name\":\"UndeclaredPlanet\",\"objects\":1,\"properties\":[\(key),\(link)]}"
    }
    let list = property(
      "moons", "link", ",\"collection\":\"list\",\"class\":\"UndeclaredMoon\"")
    let one = property("moon", "link", ",\"optional\":true,\"class\":\"UndeclaredMoon\"")
    let jupiter = { (values: String) in
      "{\"class\":\"UndeclaredPlanet\",\"key\":\"Jupiter\",\"values\":{\(values)}}"
    }
    // Of three files, each has the class, with other links to it.
    try withStore(
      [moon, planet(list)],
      moons + [jupiter(#""moons":[{"class":"UndeclaredMoon","key":"Io"}]"#)]
    ) { (realm: Realm) throws in
      #expect(try names(realm, "ANY @links.UndeclaredPlanet.moons.name = 'Jupiter'") == ["Io"])
      #expect(try names(realm, "@links.UndeclaredPlanet.moons.@count = 0") == ["Luna"])
    }
    try withStore(
      [moon, planet(one)], moons + [jupiter(#""moon":{"class":"UndeclaredMoon","key":"Luna"}"#)]
    ) { (realm: Realm) throws in
      #expect(try names(realm, "ANY @links.UndeclaredPlanet.moon.name = 'Jupiter'") == ["Luna"])
    }
    try withStore([moon], moons) { (realm: Realm) throws in
      #expect(
        throws: Realm.Error.self,
        performing: {
          try realm.write {
            _ = try names(realm, "@links.UndeclaredPlanet.moons.@count = 0")
          }
        })
    }
  }
}
