import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

@Suite struct NestedHistoryTests {
  /// After every write the crate, its change set and the file agree with the model; versions frozen
  /// along the way do not change.
  @Test(arguments: 0..<4)
  func randomHistoryAgreesWithModel(run: Int) throws {
    let random = SeededRandom()
    try withTemporaryRealm { realm, store in
      var realm = realm
      var history = NestedHistory(SeededRandom(seed: random.seed &+ UInt64(run)))
      var frozen: [(Realm, NestedHistory.Model)] = []
      for number in 0..<150 {
        let comment: Comment = "write \(number), run \(run), \("\(random)")"
        let (before, old) = (realm.freeze(), history.model)
        try history.write(realm)
        let found = differences(realm, history.model)
        #expect(found.isEmpty, comment)
        try store.check(comment)
        try expectChanges(since: before, old, realm, history, comment)
        if !found.isEmpty { break }
        if number % 30 == 5 { frozen.append((realm.freeze(), history.model)) }
        if number == 100 {
          for (realm, model) in frozen { #expect(differences(realm, model).isEmpty, comment) }
          frozen.removeAll()
        }
        if number % 50 == 49, frozen.isEmpty {
          try store.close()
          realm = try store.open()
          #expect(differences(realm, history.model).isEmpty, comment)
        }
      }
      for (realm, model) in frozen { #expect(differences(realm, model).isEmpty) }
      frozen.removeAll()
      try realm.write { realm.deleteAll() }
      let report = try store.report()
      #expect(report.isSound && report.collectionCount == 0 && report.blobCount == 0, "\(report)")
    }
  }

  /// The properties whose content differs from the model.
  private func differences(_ realm: Realm, _ model: NestedHistory.Model) -> [NestedRoot] {
    guard let crate = realm.objects(MixedBox.self).first else {
      return model == NestedHistory.empty ? [] : NestedRoot.allCases
    }
    return NestedRoot.allCases.filter { MixedContent($0.read(crate)) != model[$0] }
  }

  private func expectChanges(
    since before: Realm, _ old: NestedHistory.Model, _ realm: Realm, _ history: NestedHistory,
    _ comment: Comment
  ) throws {
    let changes = try realm.changes(since: before)
    guard let crate = realm.objects(MixedBox.self).first,
      let earlier = before.objects(MixedBox.self).first
    else { return }
    let modified = try changes.objects(MixedBox.self).modifications.first
    let names = Set(modified?.properties.map(\.name) ?? [])
    let different = NestedRoot.allCases.filter { old[$0] != history.model[$0] }
    #expect(names.isSuperset(of: different.map(\.rawValue)), comment)
    #expect(names.isSubset(of: history.touched.map(\.rawValue)), comment)
    var items = earlier.items.map { MixedContent($0) as MixedContent? }
    let list = try changes.changes(of: crate.items)
    for index in list.modifications { items[index] = nil }
    for index in list.deletions.reversed() { items.remove(at: index) }
    for index in list.insertions { items.insert(nil, at: index) }
    #expect(items.count == crate.items.count, comment)
    for (kept, now) in zip(items, crate.items) {
      #expect(kept == nil || kept == MixedContent(now), comment)
    }
    let map = try changes.changes(of: crate.fields)
    let keys = Set(map.insertions + map.deletions + map.modifications)
    for key in Set(earlier.fields.keys + crate.fields.keys) where !keys.contains(key) {
      #expect(
        earlier.fields[key].map { MixedContent($0) } == crate.fields[key].map { MixedContent($0) },
        comment)
    }
  }
}
