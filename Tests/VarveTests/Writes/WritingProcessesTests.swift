import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct WritingProcessesTests {
  /// Each looks after each commit whether the version it then reads is its own.
  @Test func theVersionAfterACommitIsItsOwn() throws {
    try withTemporaryRealm { realm, store in
      let count = 400
      let before = realm.version.number
      let processes = (1...2).map {
        TestProcess(["realmCount", store.path, "\(count)", "\($0)"])
      }
      for process in processes { #expect(process.line() == "ready") }
      for process in processes { process.go() }
      for process in processes { #expect(process.line() == "strangers 0") }
      for process in processes { #expect(process.wait() == 0) }
      try realm.refresh()
      #expect(realm.objects(Crate.self).sorted(by: \.id).map(\.weight) == [400, 400])
      #expect(realm.objects(Crate.self).allSatisfy { Array($0.numbers) == Array(1...count) })
      // Each process made its crate with a commit of its own.
      #expect(realm.version.number == before + UInt64(2 * (count + 1)))
    }
  }
}
