import Foundation
import Testing
import Varve

@Suite struct StatsCommandTests {
  private func withPups(_ body: (PupStore) throws -> Void) throws {
    try PupStore.with { store in
      try store.realm.write {
        store.realm.add(Pup(value: ["name": "Rex", "tags": ["a", "b"], "notes": ["n": 1]]))
        store.realm.add(Pup(value: ["name": "Bo", "tags": (0..<5000).map { "\($0)" }]))
        store.realm.add(
          Toy(value: ["label": String(repeating: "x", count: 700), "bytes": Data(count: 100_000)]))
      }
      try body(store)
    }
  }

  @Test func sizesArePrintedAsJSON() throws {
    try withPups { store in
      let output = try ToolProgram.run(["stats", store.path, "--json", "--largest", "1"])
      #expect(output.status == 0 && output.errors.isEmpty, "\(output.errors)")
      let parsed = try JSONSerialization.jsonObject(with: Data(output.text.utf8))
      let report = try #require(parsed as? [String: Any])
      let classes = try #require(report["classes"] as? [[String: Any]])
      let pup = try #require(classes.first)
      #expect(pup["name"] as? String == "Pup" && pup["objects"] as? Int == 2)
      #expect(pup["inlineCollections"] as? Int == 2 && pup["outsideCollections"] as? Int == 1)
      #expect(pup["elements"] as? Int == 5003)
      #expect(classes[1]["longValues"] as? Int == 2)
      #expect(classes[1]["longValueBytes"] as? Int == 100_700)
      let tables = try #require(report["tables"] as? [[String: Any]])
      let blobs = try #require(tables.first { $0["name"] as? String == "blobs" })
      let (content, pages) = (blobs["contentBytes"] as? Int ?? 0, blobs["pageBytes"] as? Int ?? 0)
      #expect(content > 100_700 && pages >= content && pages % 4096 == 0)
      let object = try #require((report["largestObjects"] as? [[String: Any]])?.first)
      #expect(object["class"] as? String == "Toy" && object["bytes"] as? Int ?? 0 > 100_700)
      let list = try #require((report["largestCollections"] as? [[String: Any]])?.first)
      #expect(list["key"] as? String == "Bo" && list["elements"] as? Int == 5000)
    }
  }

  @Test func sizesArePrintedAsText() throws {
    try withPups { store in
      let output = try ToolProgram.run(["stats", store.path])
      #expect(output.status == 0, "\(output.errors)")
      #expect(output.text.contains("\n  Pup \"Bo\".tags"), "\(output.text)")
      #expect(output.text.contains(" %\n"))
    }
  }
}
