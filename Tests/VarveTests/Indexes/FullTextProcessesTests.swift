import Testing
import Varve
import VarveCore
import VarveTestSupport

/// Full-text searches and the commits of other processes.
@Suite struct FullTextProcessesTests {
  @Test func searchFindsTextsOfOtherProcess() throws {
    try withTemporaryRealm { realm, store in
      try realm.write { realm.addEssays(0..<3) { "ours number\($0)" } }
      let essays = realm.objects(Essay.self)
      func ids(_ words: String) -> [Int] {
        let found = essays.search(words, in: \.text).map(\.object.id).sorted()
        #expect(found == essays.where { $0.text.fullTextSearch(words) }.map(\.id), "\(words)")
        return found
      }
      let process = TestProcess(["realmTexts", store.path])
      #expect(process.line() == "ready")
      #expect(ids("theirs") == [])
      process.go()
      #expect(process.line() == "added")
      try realm.refresh()
      #expect(ids("theirs") == [1000] && ids("number*") == [0, 1, 2, 1000])
      let frozen = essays.freeze()
      process.go()
      #expect(process.line() == "merged")
      try realm.refresh()
      #expect(ids("theirs") == Array(1000..<2500) && ids("number1700") == [1700])
      #expect(ids("ours") == [0, 1, 2] && ids("theirs -number1000").count == 1499)
      #expect(try !store.textBlocks().blocks.isEmpty)
      process.go()
      #expect(process.line() == "changed")
      try realm.refresh()
      #expect(ids("changed") == [1000] && ids("ours") == [1, 2])
      #expect(ids("theirs") == Array(1002..<2500) && ids("number1001") == [])
      // A frozen collection still searches its version.
      #expect(frozen.search("theirs", in: \.text).map(\.object.id) == [1000])
      // A text that the other process has merged is changed here, and found there.
      try realm.write { realm.object(ofType: Essay.self, forPrimaryKey: 1700)?.text = "again" }
      #expect(ids("number1700") == [] && ids("again") == [1700])
      process.go()
      #expect(process.line() == "1700")
      #expect(process.wait() == 0)
    }
  }
}
