import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// Changes of lists and maps that are in rows, outside them, and moved from one place to the other.
@Suite struct CollectionsInRowsChangesTests {
  /// Contents as numbers of ``TrayProperty``: without elements, in the row, where the collection
  /// was before, and outside the row. Those with equal counts differ.
  private static func contents(of property: TrayProperty) -> [[Int]] {
    let long = Array(0..<40)
    var changed = long
    (changed[7], changed[39]) = (100, 101)
    // Small enough to stay in the row, and too large to come back.
    let middle = Array(0..<200 / property.elementBytes)
    return [[], Array(0..<5), [0, 102, 2, 3, 4], middle, long, changed]
  }

  /// A way from one content to another.
  private enum Path: CaseIterable {
    /// In one write.
    case direct
    /// In one write, by way of another content.
    case detour
    /// The other content is committed.
    case twoWrites
    /// The owner is deleted and created again.
    case recreated, recreatedLater

    var hasOther: Bool { self != .direct && self != .recreatedLater }
  }

  /// Changes the content of tray 1.
  private func change(
    _ property: TrayProperty, by path: Path, over other: [Int], to numbers: [Int], _ realm: Realm
  ) throws {
    func assign(_ numbers: [Int]) {
      guard let tray = realm.object(ofType: Tray.self, forPrimaryKey: 1) else { return }
      property.assign(numbers, to: tray, realm)
    }
    func create(_ numbers: [Int]) {
      let tray = Tray(1)
      property.assign(numbers, to: tray, realm)
      realm.add(tray)
    }
    func delete() { realm.delete(realm.objects(Tray.self)) }
    switch path {
    case .direct: try realm.write { assign(numbers) }
    case .detour:
      try realm.write {
        assign(other)
        assign(numbers)
      }
    case .twoWrites:
      try realm.write { assign(other) }
      try realm.write { assign(numbers) }
    case .recreated:
      try realm.write {
        delete()
        create(other)
        assign(numbers)
      }
    case .recreatedLater:
      try realm.write { delete() }
      try realm.write { create(numbers) }
    }
  }

  @Test(arguments: TrayProperty.allCases)
  func changesOfEachPairOfContentsAreThoseOfComparison(property: TrayProperty) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let (realm, _) = try store.openWithTray()
    let contents = Self.contents(of: property)
    for old in contents {
      for new in contents {
        for path in Path.allCases {
          for other in path.hasOther ? [[], contents[2], contents[4]] : [[]] {
            try change(property, by: .direct, over: [], to: old, realm)
            let before = realm.freeze()
            try change(property, by: path, over: other, to: new, realm)
            let after = realm.freeze()
            let comment: Comment =
              "\(property), \(path), \(old.count) over \(other.count) to \(new.count)"
            try expectChanges(property, before, after, old, new, comment)
            try expectChanges(property, after, before, new, old, comment)
          }
        }
      }
      try store.check("\(property), \(old.count)")
    }
  }

  @Test(arguments: TrayProperty.allCases)
  func deletedOwnerHasNoChangedCollection(property: TrayProperty) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let (realm, _) = try store.openWithTray()
    for content in Self.contents(of: property) {
      try change(property, by: .recreatedLater, over: [], to: content, realm)
      let present = realm.freeze()
      try realm.write { realm.delete(realm.objects(Tray.self)) }
      let absent = realm.freeze()
      let comment: Comment = "\(property), \(content.count)"
      let deletion = try absent.changes(since: present).objects(Tray.self)
      #expect(deletion.deletions.map(\.id) == [1], comment)
      #expect(deletion.insertions.isEmpty && deletion.modifications.isEmpty, comment)
      let insertion = try present.changes(since: absent).objects(Tray.self)
      #expect(insertion.insertions.map(\.id) == [1], comment)
      #expect(insertion.deletions.isEmpty && insertion.modifications.isEmpty, comment)
      try store.check("\(comment)")
    }
  }

  /// Compares the reported changes with the elements that differ.
  private func expectChanges(
    _ property: TrayProperty, _ before: Realm, _ after: Realm, _ old: [Int], _ new: [Int],
    _ comment: Comment
  ) throws {
    let changes = try after.changes(since: before)
    let tray = try #require(after.object(ofType: Tray.self, forPrimaryKey: 1))
    let names = try changes.objects(Tray.self).modifications.flatMap { $0.properties.map(\.name) }
    #expect(names == (old == new ? [] : [property.rawValue]), comment)
    func expect(_ found: CollectionChanges) {
      // No content has an element twice, and all have them in one order.
      let gone = old.indices.filter { !new.contains(old[$0]) }
      let added = new.indices.filter { !old.contains(new[$0]) }
      #expect((found.deletions + found.modifications).sorted() == gone, comment)
      #expect((found.insertions + found.newModifications).sorted() == added, comment)
      #expect(found.moves.isEmpty && found.isEmpty == (old == new), comment)
      var mirror = old
      for index in found.deletions.reversed() { mirror.remove(at: index) }
      for index in found.insertions { mirror.insert(new[index], at: index) }
      for index in found.newModifications { mirror[index] = new[index] }
      #expect(mirror == new, comment)
    }
    func expect(_ found: MapChanges) {
      let common = min(old.count, new.count)
      #expect(found.deletions == (common..<old.count).map(TrayProperty.key), comment)
      #expect(found.insertions == (common..<new.count).map(TrayProperty.key), comment)
      let modified = (0..<common).filter { old[$0] != new[$0] }
      #expect(found.modifications == modified.map(TrayProperty.key), comment)
    }
    switch property {
    case .words: expect(try changes.changes(of: tray.words))
    case .numbers: expect(try changes.changes(of: tray.numbers))
    case .pebbles: expect(try changes.changes(of: tray.pebbles))
    case .notes: expect(try changes.changes(of: tray.notes))
    case .scores: expect(try changes.changes(of: tray.scores))
    case .named: expect(try changes.changes(of: tray.named))
    }
  }

  /// An element that links to a changed object is modified wherever the collection is.
  @Test(arguments: [TrayProperty.pebbles, .named], [5, 40])
  func changedTargetModifiesElement(property: TrayProperty, count: Int) throws {
    try withTemporaryRealm { _, store in
      let (realm, tray) = try store.openWithTray()
      try realm.write { property.assign(Array(0..<count), to: tray, realm) }
      let before = realm.freeze()
      try realm.write {
        realm.object(ofType: Pebble.self, forPrimaryKey: 3)?.weight = 7
        realm.object(ofType: Pebble.self, forPrimaryKey: 100)?.weight = 7
      }
      let changes = try realm.changes(since: before)
      // Moved to the other place.
      try realm.write { property.assign(Array(0..<45 - count), to: tray, realm) }
      let later = try realm.changes(since: before)
      let known = Array(min(count, 45 - count)..<max(count, 45 - count))
      if property == .pebbles {
        #expect(try changes.changes(of: tray.pebbles).modifications == [3])
        let found = try later.changes(of: tray.pebbles)
        #expect(found.modifications == [3])
        #expect((count == 5 ? found.insertions : found.deletions) == known)
      } else {
        let keys = known.map(TrayProperty.key)
        #expect(try changes.changes(of: tray.named).modifications == ["k003"])
        let found = try later.changes(of: tray.named)
        #expect(found.modifications == ["k003"])
        #expect((count == 5 ? found.insertions : found.deletions) == keys)
      }
    }
  }

  // MARK: Observers

  /// Observes a property of a tray with a mirror.
  private func observe(
    _ property: TrayProperty, _ tray: Tray, _ mirror: SoakMirror
  ) throws -> NotificationToken {
    func observed<E>(
      _ list: List<E>, _ row: @escaping @Sendable (E) -> String
    ) throws -> NotificationToken {
      try list.observe { change in
        switch change {
        case .initial(let list):
          mirror.deliver(.state(list.map(row)), list.map(row), at: list.versionNumber ?? 0)
        case .update(let list, let deletions, let insertions, let modifications):
          let step = SoakStep.indexes(
            deletions: deletions, insertions: insertions, modifications: modifications, new: nil)
          mirror.deliver(step, list.map(row), at: list.versionNumber ?? 0)
        case .error(let error): Issue.record(error)
        }
      }
    }
    func observed<V>(
      _ map: Map<String, V>, _ row: @escaping @Sendable (V) -> String
    ) throws -> NotificationToken {
      @Sendable func rows(_ map: Map<String, V>) -> [String] {
        map.map { "\($0.key) \(row($0.value))" }
      }
      return try map.observe { change in
        switch change {
        case .initial(let map):
          mirror.deliver(.state(rows(map)), rows(map), at: map.realm?.version.number ?? 0)
        case .update(let map, let deletions, let insertions, let modifications):
          let step = SoakStep.keys(
            deletions: deletions, insertions: insertions, modifications: modifications)
          mirror.deliver(step, rows(map), at: map.realm?.version.number ?? 0)
        case .error(let error): Issue.record(error)
        }
      }
    }
    return switch property {
    case .words: try observed(tray.words) { $0 }
    case .numbers: try observed(tray.numbers) { "\($0)" }
    case .pebbles: try observed(tray.pebbles) { "\($0.id)" }
    case .notes: try observed(tray.notes) { $0 }
    case .scores: try observed(tray.scores) { "\($0)" }
    case .named: try observed(tray.named) { $0.map { "\($0.id)" } ?? "-" }
    }
  }

  @Test(arguments: TrayProperty.allCases)
  func mirrorFollowsCollectionMovedManyTimes(property: TrayProperty) throws {
    var random = SeededRandom()
    let comment: Comment = "\(random)"
    try withTemporaryRealm { _, store in
      let (realm, tray) = try store.openWithTray()
      let mirror = SoakMirror("\(property)")
      let token = try observe(property, tray, mirror)
      var (places, wasInRow) = (0, true)
      for round in 0..<1_000 {
        // In the row, or outside it; sometimes empty.
        let count = round % 2 == 1 ? random.int(0...5) : random.int(34...45)
        let numbers = (0..<count).map { random.oneIn(4) ? 60 + $0 : $0 }
        try realm.write { property.assign(numbers, to: tray, realm) }
        let isInRow = try store.isInRow(property)
        places += isInRow == wasInRow ? 0 : 1
        wasInRow = isInRow
        // Not always, so that some deliveries contain several commits.
        if random.oneIn(3) {
          try wait(for: mirror, property.content(of: tray), realm, comment)
        }
      }
      try wait(for: mirror, property.content(of: tray), realm, comment)
      #expect(places == 1_000 && mirror.faults.isEmpty, "\(comment): \(mirror.faults)")
      #expect(mirror.deliveries > 100, comment)
      token.invalidate()
    }
  }

  /// Waits until a mirror has the content of the newest version.
  private func wait(
    for mirror: SoakMirror, _ rows: [String], _ realm: Realm, _ comment: Comment
  ) throws {
    let end = ContinuousClock.now + .seconds(30)
    var difference = mirror.difference(from: rows, at: realm.version.number)
    while difference != nil, ContinuousClock.now < end {
      usleep(200)
      difference = mirror.difference(from: rows, at: realm.version.number)
    }
    #expect(difference == nil, comment)
  }
}
