import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

@Suite struct GraphHistoryTests {
  /// Every commit is compared with the model and checked from its rows to its backlinks. Frozen
  /// intermediate versions stay unchanged.
  @Test(arguments: 0..<3)
  func randomHistoryMatchesModel(run: Int) throws {
    let random = SeededRandom()
    try withTemporaryRealm { realm, store in
      var history = GraphHistory(SeededRandom(seed: random.seed &+ UInt64(run)))
      var frozen: [(Realm, GraphModel)] = []
      for number in 0..<120 {
        try history.write(realm)
        let found = history.model.differences(realm)
        #expect(found.isEmpty, "write \(number): \(found.prefix(5)), run \(run), \("\(random)")")
        try store.check("write \(number), run \(run), \("\(random)")")
        if !found.isEmpty { break }
        if number % 24 == 5 { frozen.append((realm.freeze(), history.model)) }
      }
      for (realm, model) in frozen {
        #expect(model.differences(realm).isEmpty, "a frozen version, run \(run), \("\(random)")")
      }
      frozen.removeAll()
      try store.close()
      let again = try store.open()
      #expect(history.model.differences(again).isEmpty, "reopened, run \(run), \("\(random)")")
      try again.write { again.deleteAll() }
      let report = try store.report()
      #expect(report.isSound && report.objectCount == 0 && report.backlinkCount == 0, "\(report)")
      #expect(report.collectionCount == 0 && report.indexEntryCount == 0, "\(report)")
    }
  }
}
