import Foundation
import Testing
import Varve
import VarveTestSupport

@Model final class PlantLeaf: Object, Codable {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(indexed: true) var name: String?
  @Persisted var rank: Int
  @Persisted var weight: Double?
  @Persisted var anything: AnyRealmValue
  @Persisted var branch: PlantBranch?

  override class func propertiesMapping() -> [String: String] { ["rank": "stored_rank"] }
}

@Model final class PlantBranch: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String?
  @Persisted var leaves: List<PlantLeaf>
  @Persisted var chosen: MutableSet<PlantLeaf>
  @Persisted(originProperty: "branch") var linked: LinkingObjects<PlantLeaf>
}

/// Pages after cursors, whose objects may be deleted.
@Suite struct PageCursorTests {
  /// Around the length at which keys are cut, with a shared prefix.
  private static let names = [0, 1, 439, 440, 441, 600].flatMap { count in
    ["a", "b", "B", "é"].map { String(repeating: "s", count: count) + $0 }
  }

  private func add(_ count: Int, to realm: Realm, _ random: inout SeededRandom) {
    let branches = (0..<5).map { id in
      realm.create(
        PlantBranch.self, value: ["id": id, "title": id == 0 ? nil : "t\(id % 3)" as Any],
        update: .modified)
    }
    for _ in 0..<count {
      let leaf = PlantLeaf()
      leaf.id = UUID()
      leaf.name = random.chance(20) ? nil : random.element(Self.names)
      leaf.rank = random.below(6)
      leaf.weight = random.chance(20) ? nil : random.element([.nan, -1, 0, 0.5, 7])
      leaf.anything = random.pick([.none, 1, 1.5, "x", true, .string("y")])
      leaf.branch = random.chance(20) ? nil : random.element(branches)
      realm.add(leaf)
      if random.chance(50) { branches[0].chosen.insert(leaf) }
    }
  }

  /// Orders of every kind.
  private static let orders: [@Sendable (Results<PlantLeaf>) throws -> Results<PlantLeaf>] = [
    { $0 },
    { $0.sorted(by: \.id) },
    { $0.sorted(by: \.id, ascending: false) },
    { $0.sorted(by: \.name) },
    { $0.sorted(by: \.name, ascending: false) },
    { $0.sorted(by: \.weight) },
    { $0.sorted(by: \.weight, ascending: false) },
    { $0.sorted(by: [SortDescriptor(keyPath: "rank", ascending: false), "name", "weight"]) },
    { $0.sorted(byKeyPath: "branch.title", ascending: true) },
    { $0.sorted(byKeyPath: "branch.title", ascending: false).sorted(by: \.rank) },
    { $0.sorted(by: \.name, collation: .unicode) },
    { $0.sorted(by: \.name, collation: .caseInsensitive) },
    { $0.sorted(byKeyPath: "anything", ascending: false) },
    { $0.where { $0.rank > 1 }.sorted(by: \.name) },
    { $0.sorted(by: \.rank).limit(10_000).where { $0.rank < 5 } },
    { $0.sorted(by: \.rank).limit(10_000).sorted(by: \.name, ascending: false) },
  ]

  /// Pages of random sizes, between which objects are inserted and deleted, among them the
  /// cursor's.
  @Test(arguments: 0..<16)
  func objectsThatExistThroughoutAreOnOnePage(_ order: Int) throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, store in
      let other = try store.open()
      try realm.write { add(120, to: realm, &random) }
      let results = try Self.orders[order](realm.objects(PlantLeaf.self))
      let before = results.map(\.id)
      var (deleted, found): (Set<UUID>, [UUID]) = ([], [])
      var cursor: PageCursor?
      while found.count < 1000 {
        let page = try results.page(after: cursor, count: random.int(1...9))
        found += page.map(\.id)
        guard let last = page.last else { break }
        let text = try results.cursor(of: last).description
        #expect(try page.cursor(of: last).description == text)
        let data = try JSONEncoder().encode([text])
        cursor = try JSONDecoder().decode([PageCursor].self, from: data)[0]
        #expect(cursor?.description == text)
        try other.write {
          if random.chance(60) {
            deleted.insert(last.id)
            other.delete(try #require(other.object(ofType: PlantLeaf.self, forPrimaryKey: last.id)))
          }
          for leaf in Array(other.objects(PlantLeaf.self)) where random.chance(3) {
            deleted.insert(leaf.id)
            other.delete(leaf)
          }
          if random.chance(30) { add(3, to: other, &random) }
        }
        try realm.refresh()
      }
      let kept = before.filter { !deleted.contains($0) }
      #expect(found.filter { kept.contains($0) } == kept, "\(random)")
      #expect(Set(found).count == found.count, "\(random)")
    }
  }

  /// The texts of cursors continue in the store after it was closed, and its objects were deleted.
  @Test func cursorsContinueAfterRestart() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, store in
      try realm.write { add(60, to: realm, &random) }
      var texts: [String] = []
      var rests: [[UUID]] = []
      for order in Self.orders {
        let results = try order(realm.objects(PlantLeaf.self))
        texts.append(try results.cursor(of: results[20]).description)
        rests.append(Array(results.map(\.id)[21...]))
      }
      try store.close()
      var reopened = try store.open()
      for isDeleted in [false, true] {
        for ((order, text), rest) in zip(zip(Self.orders, texts), rests) {
          let results = try order(reopened.objects(PlantLeaf.self))
          let cursor = try #require(PageCursor(text))
          let found = try results.page(after: cursor, count: 1000).map(\.id)
          let kept = Set(reopened.objects(PlantLeaf.self).map(\.id))
          #expect(found == rest.filter(kept.contains), "\(random) \(isDeleted)")
        }
        try reopened.write {
          for order in Self.orders {
            let results = try order(reopened.objects(PlantLeaf.self))
            if let leaf = results.first(where: { _ in random.chance(10) }) { reopened.delete(leaf) }
          }
        }
        try store.close()
        reopened = try store.open()
      }
    }
  }

  @Test func pagesInsideWriteFollowDeletions() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      try realm.write {
        add(60, to: realm, &random)
        for order in Self.orders {
          let results = try order(realm.objects(PlantLeaf.self))
          let expected = results.map(\.id)
          var found: [UUID] = []
          var cursor: PageCursor?
          var removed: [PlantLeaf] = []
          while true {
            let page = try results.page(after: cursor, count: 7)
            guard let last = page.last else { break }
            found += page.map(\.id)
            cursor = try results.cursor(of: last)
            removed.append(PlantLeaf(value: last))
            realm.delete(last)
          }
          #expect(found == expected, "\(random)")
          realm.add(removed)
        }
      }
    }
  }

  @Test func frozenResultsHaveCursors() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      try realm.write { add(40, to: realm, &random) }
      for order in Self.orders {
        let live = try order(realm.objects(PlantLeaf.self))
        let frozen = live.freeze()
        let cursor = try frozen.cursor(of: frozen[11])
        let rest = try frozen.page(after: cursor, count: 1000).map(\.id)
        #expect(rest == Array(frozen.map(\.id)[12...]))
        #expect(try live.cursor(of: live[11]) == cursor)
        #expect(try live.page(after: cursor, count: 1000).map(\.id) == rest)
      }
    }
  }

  @Test func setsAndLinkingObjectsHaveCursors() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      try realm.write { add(80, to: realm, &random) }
      let branch = try #require(realm.object(ofType: PlantBranch.self, forPrimaryKey: 0))
      func check(_ results: Results<PlantLeaf>) throws {
        let expected = results.map(\.id)
        var found: [UUID] = []
        var page = try results.page(after: PageCursor?.none, count: 4)
        while let last = page.last {
          found += page.map(\.id)
          let cursor = try results.cursor(of: last)
          try realm.write { realm.delete(last) }
          page = try results.page(after: cursor, count: 4)
        }
        #expect(found == expected, "\(random)")
      }
      try check(branch.chosen.sorted(by: \.rank))
      try check(branch.linked.sorted(by: \.name))
      let others = try #require(realm.object(ofType: PlantBranch.self, forPrimaryKey: 1)).linked
      try check(others.where { $0.rank >= 0 })
    }
  }

  @Test func distinctResultsHaveCursors() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      try realm.write { add(90, to: realm, &random) }
      for results in [
        realm.objects(PlantLeaf.self).distinct(by: ["rank"]),
        realm.objects(PlantLeaf.self).sorted(by: \.name).distinct(by: ["rank"]),
        realm.objects(PlantLeaf.self).distinct(by: ["rank"]).sorted(by: \.name, ascending: false),
      ] {
        let ids = results.map(\.id)
        for index in ids.indices {
          let cursor = try results.cursor(of: results[index])
          #expect(
            try results.page(after: cursor, count: 3).map(\.id)
              == Array(ids[(index + 1)...].prefix(3)))
        }
      }
    }
  }

  @Test func foreignCursorIsRefused() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      try realm.write { add(10, to: realm, &random) }
      let all = realm.objects(PlantLeaf.self)
      let byName = all.sorted(by: \.name)
      let leaf = try #require(all.first)
      let cursor = try byName.cursor(of: leaf)
      for other in [
        all, all.sorted(by: \.rank), all.sorted(by: \.name, ascending: false),
        all.sorted(by: \.name, collation: .unicode), byName.sorted(by: \.rank),
      ] {
        expectError(.invalidCursor) { try other.page(after: cursor, count: 3) }
      }
      let branches = realm.objects(PlantBranch.self)
      expectError(.invalidCursor) { try branches.page(after: cursor, count: 3) }
      // Conditions may differ, and stored names are the same names.
      #expect(throws: Never.self) { try byName.where { $0.rank > 2 }.page(after: cursor, count: 3) }
      let byRank = try all.sorted(by: \.rank).cursor(of: leaf)
      #expect(throws: Never.self) {
        try all.sorted(byKeyPath: "rank", ascending: true).page(after: byRank, count: 3)
      }
    }
  }

  @Test func cursorOfMissingObjectThrows() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      try realm.write { add(10, to: realm, &random) }
      let all = realm.objects(PlantLeaf.self)
      expectError(.unmanaged) { try all.cursor(of: PlantLeaf()) }
      let branch = try #require(realm.objects(PlantBranch.self).first)
      let leaf = try #require(all.first)
      try realm.write { branch.leaves.append(leaf) }
      expectError(.invalidInput) { try branch.leaves.cursor(of: leaf) }
      expectError(.invalidInput) { try branch.leaves.sorted(by: \.name).cursor(of: leaf) }
      try realm.write { realm.delete(leaf) }
      expectError(.invalidatedObject) { try all.cursor(of: leaf) }
      try withTemporaryRealm { other, _ in
        try other.write { add(2, to: other, &random) }
        expectError(.foreignObject) { try all.cursor(of: other.objects(PlantLeaf.self)[0]) }
      }
    }
  }

  @Test func pageAfterDeletedObjectFailsWrite() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      try realm.write { add(10, to: realm, &random) }
      let sorted = realm.objects(PlantLeaf.self).sorted(by: \.name)
      expectError(.invalidatedObject) {
        try realm.write {
          let leaf = sorted[3]
          realm.delete(leaf)
          #expect(sorted.page(after: leaf, count: 3).isEmpty)
        }
      }
      expectError(.unmanaged) {
        try realm.write { #expect(sorted.page(after: PlantLeaf(), count: 3).isEmpty) }
      }
      #expect(sorted.count == 10)
    }
  }

  @Test func malformedTextIsNoCursor() throws {
    var random = SeededRandom()
    try withTemporaryRealm { realm, _ in
      try realm.write { add(20, to: realm, &random) }
      let sorted = realm.objects(PlantLeaf.self).sorted(by: [
        "name", "rank", SortDescriptor(keyPath: "weight", ascending: false),
      ])
      let text = try sorted.cursor(of: sorted[9]).description
      #expect(
        text.utf8.allSatisfy {
          Character(UnicodeScalar($0)).isLetter || "0123456789-_".utf8.contains($0)
        })
      #expect(PageCursor(text)?.description == text)
      for bad in [
        "", "a", "AAAA", text + "A", text + "=", "+" + text, String(text.dropLast()), "é",
      ] {
        #expect(PageCursor(bad) == nil, "\(bad)")
      }
      for _ in 0..<500 {
        var bytes = Array(text.utf8)
        bytes[random.below(bytes.count)] = random.pick(Array("ABCxyz019-_".utf8))
        let changed = String(decoding: bytes, as: UTF8.self)
        #expect(changed == text || PageCursor(changed) == nil, "\(random)")
      }
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([PageCursor].self, from: Data(#"["nonsense"]"#.utf8))
      }
    }
  }
}
