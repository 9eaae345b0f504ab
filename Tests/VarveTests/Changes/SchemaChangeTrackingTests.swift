import Testing
import Varve
import VarveCore

/// The classes that the file was created with.
private enum Made {
  @Model final class Sheep: Object {
    @Persisted(primaryKey: true) var id: Int
  }
  @Model final class Flock: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var sheep: List<Sheep>
  }
}

/// The classes as declared by the observing program.
private enum Known {
  @Model final class Sheep: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var color = "grey"
  }
  @Model final class Flock: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var sheep: List<Sheep>
  }
}

/// The classes as declared by another program, which is the first to store the new property, with a
/// different default.
private enum Stored {
  @Model final class Sheep: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var color = "white"
  }
}

/// Observers of properties that are added to the file while they observe.
@Suite struct SchemaChangeTrackingTests {
  @Test func answersFollowDefaultOfAddedProperty() throws {
    try withTemporaryRealm { realm, store in
      try realm.write {
        let flock = realm.create(Made.Flock.self, value: ["id": 0])
        for id in 0..<6 { flock.sheep.append(realm.create(Made.Sheep.self, value: ["id": id])) }
      }
      let all = realm.objects(Known.Sheep.self)
      let list = try #require(realm.object(ofType: Known.Flock.self, forPrimaryKey: 0)).sheep
      let observed: [Results<Known.Sheep>] = [
        all.where { $0.color == "grey" }, all.where { $0.color != "grey" }, all.sorted(by: \.color),
        list.where { $0.color == "grey" }, list.where { $0.color != "grey" },
        list.sorted(by: \.color),
      ]
      var old = realm.freeze()
      var trackers = try observed.map { results in
        var tracker = CollectionTracker(results.handle, watching: .usual)
        _ = try tracker.start(at: old.context.snapshot)
        return tracker
      }
      #expect(trackers.map { $0.answer?.count } == [6, 0, 6, 6, 0, 6])
      // Some sheep get a color of their own; the others get the default of the program that added
      // the property.
      for write in 0..<3 {
        try realm.write {
          for id in [write, write + 3] {
            let color = ["a", "z", "grey"][write]
            realm.create(Stored.Sheep.self, value: ["id": id, "color": color], update: .modified)
          }
        }
        let new = realm.freeze()
        let difference = VersionDifference(
          from: old.context.snapshot, to: new.context.snapshot, schema: new.context.store.schema)
        for (index, results) in observed.enumerated() {
          let before = trackers[index].answer?.ids ?? []
          let now = results.moved(to: new)
          var ids = before
          guard case .change(let changes) = try trackers[index].advance(difference) else {
            #expect(before == now, "results \(index), write \(write)")
            continue
          }
          for index in Array(changes.deletions).reversed() { ids.remove(at: index) }
          for index in changes.insertions { ids.insert(now[index], at: index) }
          #expect(ids == now, "results \(index), write \(write)")
          #expect(trackers[index].answer?.ids == now, "results \(index), write \(write)")
        }
        old = new
      }
      try realm.refresh()
      try store.check()
    }
  }
}

extension Results where Element: Object {
  /// The ids of the same query in another version.
  fileprivate func moved(to realm: Realm) -> [UInt64] {
    ResultsHandle(context: realm.context, query: handle.query).objectIDs
  }
}
