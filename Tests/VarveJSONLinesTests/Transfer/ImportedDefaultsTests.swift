import Foundation
import Testing
import Varve
import VarveEncoding
import VarveJSONLines
import VarveTestSupport

private enum BeforeImport {
  @Model final class Imported: Object {
    @Persisted(primaryKey: true) var id: Int
  }
}

private enum AfterImport {
  @Model final class Imported: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var token = UUID()
    @Persisted var any: AnyRealmValue = .uuid(UUID())
    @Persisted var constant: AnyRealmValue = .int(2 + 3)
    @Persisted var text: AnyRealmValue = .string("a" + "b")
  }
}

/// Defaults that no program has made yet, in a text.
@Suite struct ImportedDefaultsTests {
  @Test func importedObjectsGetTheirDefaults() throws {
    try TransferDirectory.with { directory in
      let realm = try directory.open("first.varve", [AfterImport.Imported.self])
      try realm.write {
        for id in 1...2 { realm.create(BeforeImport.Imported.self, value: ["id": id]) }
      }
      let text = directory.url.appending(path: "text.jsonl")
      try realm.freeze().exportJSONLines(to: text)
      #expect(try String(contentsOf: text, encoding: .utf8).contains(#""default":{"int":"#))

      let imported = try directory.open("second.varve", nil)
      try imported.importJSONLines(from: text)
      // The older release adds one.
      try imported.write { _ = imported.create(BeforeImport.Imported.self, value: ["id": 3]) }
      let items = imported.objects(AfterImport.Imported.self)
      #expect(items.count == 3)
      let mark = try #require(DefaultMark.value(for: .uuid))
      var made: Set<UUID> = []
      for item in items {
        made.insert(item.token)
        if case .uuid(let uuid) = item.any { made.insert(uuid) }
        #expect(item.constant == .int(5) && item.text == .string("ab"))
      }
      #expect(made.count == 6 && !made.map(Value.uuid).contains(mark))
      #expect(items.filter("constant == 5").count == 3)
    }
  }

  private func marks() throws -> (UUID, String) {
    guard case .uuid(let uuid) = try #require(DefaultMark.value(for: .uuid)),
      case .string(let string) = try #require(DefaultMark.value(for: .string))
    else { throw CancellationError() }
    return (uuid, string)
  }

  @Test func undeclaredDefaultsReadAsNil() throws {
    let (uuid, string) = try marks()
    try TransferDirectory.with { directory in
      let lines = [
        """
        {"format":"varve","version":1,"schemaVersion":0,"classes":[{"name":"NeverDeclared",\
        "properties":[{"name":"id","type":"int64","primaryKey":true},\
        {"name":"code","type":"string","default":"\(string)"},\
        {"name":"token","type":"uuid","default":"\(uuid)"},\
        {"name":"any","type":"mixed","optional":true,"default":{"uuid":"\(uuid)"}}]}]}
        """,
        """
        {"class":"NeverDeclared","key":1,"values":{"code":"\(string)","token":"\(uuid)",\
        "any":{"uuid":"\(uuid)"}}}
        """,
        """
        {"class":"NeverDeclared","key":2,"values":{"code":"x","token":"\(UUID())","any":null}}
        """,
      ]
      let text = directory.url.appending(path: "text.jsonl")
      try Data(lines.joined(separator: "\n").utf8).write(to: text)
      let realm = try directory.open("store.varve", nil)
      try realm.importJSONLines(from: text)
      let items = try realm.dynamicObjects("NeverDeclared")
      for source in [items, items.freeze()] {
        #expect(source[0]["code"] == nil && source[0]["token"] == nil && source[0]["any"] == nil)
        #expect(try source[0].value(forKey: "code") == nil)
        #expect(source[1]["code"] as? String == "x" && source[1]["token"] is UUID)
      }
      #expect(items.filter("code == nil").count == 1 && items.filter("any == nil").count == 2)
    }
  }
}
