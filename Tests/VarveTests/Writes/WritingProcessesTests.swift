import Foundation
import Testing
import Varve
import VarveTestSupport

@Suite struct WritingProcessesTests {
  /// After each commit, each process checks whether the version it reads is its own.
  @Test func versionAfterCommitIsOwn() throws {
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
      // Each process created its crate with a separate commit.
      #expect(realm.version.number == before + UInt64(2 * (count + 1)))
    }
  }
}
