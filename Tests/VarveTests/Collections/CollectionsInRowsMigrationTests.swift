import Testing
import Varve
import VarveCore
import VarveStorage

/// The first version of the classes.
private enum Stock1 {
  @Model final class Stock: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted var words: List<String>
    @Persisted var numbers: List<Int>
    @Persisted var parts: List<Part>
    @Persisted var notes: Map<String, String>
    @Persisted var scores: Map<String, Int>
    @Persisted var named: Map<String, Part?>
  }
  @Model final class Part: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(originProperty: "parts") var stocks: LinkingObjects<Stock>
    @Persisted(originProperty: "named") var namedIn: LinkingObjects<Stock>
  }
}

/// More properties, so that the others are elsewhere in the row.
private enum Added {
  @Model final class Stock: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var level = 4
    @Persisted var token: String? = "none"
    @Persisted var more: List<String>
    @Persisted var title = ""
    @Persisted var words: List<String>
    @Persisted var numbers: List<Int>
    @Persisted var parts: List<Part>
    @Persisted var notes: Map<String, String>
    @Persisted var scores: Map<String, Int>
    @Persisted var named: Map<String, Part?>
    @Persisted var others: Map<String, Int>
  }
  @Model final class Part: Object {
    @Persisted(primaryKey: true) var id: Int
  }
}

/// Renamed properties, a dropped one, others that allow null, and copies.
private enum Stock2 {
  @Model final class Stock: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = ""
    @Persisted var level = 4
    @Persisted var texts: List<String>
    @Persisted var numbers: List<Int?>
    @Persisted var members: List<Part>
    @Persisted var notes: Map<String, String?>
    @Persisted var byName: Map<String, Part?>
    @Persisted var copiedWords: List<String>
    @Persisted var copiedNotes: Map<String, String>
  }
  @Model final class Part: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(originProperty: "members") var stocks: LinkingObjects<Stock>
    @Persisted(originProperty: "byName") var namedIn: LinkingObjects<Stock>
  }
}

/// Without primary keys: the ids of all objects change.
private enum Keyless {
  @Model final class Stock: Object {
    @Persisted var id: Int
    @Persisted var title = ""
    @Persisted var words: List<String>
    @Persisted var numbers: List<Int>
    @Persisted var parts: List<Part>
    @Persisted var notes: Map<String, String>
    @Persisted var scores: Map<String, Int>
    @Persisted var named: Map<String, Part?>
  }
  @Model final class Part: Object {
    @Persisted var id: Int
    @Persisted(originProperty: "parts") var stocks: LinkingObjects<Stock>
    @Persisted(originProperty: "named") var namedIn: LinkingObjects<Stock>
  }
}

private enum Bare {
  @Model final class Stock: Object { @Persisted(primaryKey: true) var id: Int }
  @Model final class Part: Object { @Persisted(primaryKey: true) var id: Int }
}

/// Migrations of classes whose rows contain collections.
@Suite struct CollectionsInRowsMigrationTests {
  /// The number of elements in each collection of the stock with the index as its id: in rows of
  /// all lengths, and outside.
  private static let counts = [0, 1, 4, 7, 12, 20, 60]

  private static func words(_ id: Int) -> [String] { (0..<counts[id]).map { "word \($0)" } }
  private static func numbers(_ id: Int) -> [Int] { (0..<counts[id]).map { $0 * 1_000 - 3 } }
  private static func ids(_ id: Int) -> [Int] { (0..<counts[id]).map { (id + $0) % 60 } }
  private static func key(_ index: Int) -> String { "key \(index + 100)" }
  private static func keys(_ id: Int) -> [String] { (0..<counts[id]).map(key) }

  private func fill(_ store: TemporaryRealm) throws {
    let realm = try store.open(Stock1.Stock.self, Stock1.Part.self, version: 0)
    try realm.write {
      let parts = (0..<60).map { realm.create(Stock1.Part.self, value: ["id": $0]) }
      for id in Self.counts.indices {
        let stock = realm.create(Stock1.Stock.self, value: ["id": id, "title": "title \(id)"])
        stock.words.append(objectsIn: Self.words(id))
        stock.numbers.append(objectsIn: Self.numbers(id))
        stock.parts.append(objectsIn: Self.ids(id).map { parts[$0] })
        for (index, part) in Self.ids(id).enumerated() {
          stock.notes[Self.key(index)] = "note \(index)"
          stock.scores[Self.key(index)] = index
          stock.named[Self.key(index)] = .some(index % 3 == 2 ? nil : parts[part])
        }
      }
    }
    #expect(try store.report().collectionCount == 6 * (Self.counts.count - 1))
  }

  private func named(_ id: Int) -> [Int?] {
    Self.ids(id).enumerated().map { $0 % 3 == 2 ? nil : $1 }
  }

  @Test func addedPropertiesMoveCollectionsInRow() throws {
    try withMigratedFile { store in
      try fill(store)
      let realm = try store.open(Added.Stock.self, Added.Part.self, version: 0)
      func expectContent() {
        for stock in realm.objects(Added.Stock.self) {
          let id = stock.id
          #expect(Array(stock.words) == Self.words(id) && Array(stock.numbers) == Self.numbers(id))
          #expect(stock.parts.map(\.id) == Self.ids(id) && stock.notes.keys == Self.keys(id))
          #expect(stock.notes.values == Self.words(id).map { "note" + $0.dropFirst(4) })
          #expect(stock.scores.values == Array(Self.keys(id).indices))
          #expect(stock.named.values.map { $0?.id } == named(id))
          #expect(stock.level == 4 && stock.more.isEmpty && stock.others.isEmpty)
        }
      }
      expectContent()
      // Converts the rows to the new layout.
      let before = realm.freeze()
      try realm.write {
        for stock in realm.objects(Added.Stock.self) { stock.title += "." }
      }
      expectContent()
      try store.check()
      let changed = try realm.changes(since: before).objects(Added.Stock.self).modifications
      #expect(changed.allSatisfy { $0.properties.map(\.name) == ["title"] })
      #expect(changed.count == Self.counts.count)
      try realm.write {
        for stock in realm.objects(Added.Stock.self) {
          stock.more.append("more")
          stock.words.append("last")
          stock.notes["last"] = "note"
          stock.words.removeLast()
          stock.notes["last"] = nil
          stock.more.removeAll()
        }
      }
      expectContent()
    }
  }

  /// The first write to a row of the older layout changes a collection in it.
  @Test func collectionOfOlderLayoutIsChanged() throws {
    try withMigratedFile { store in
      try fill(store)
      let realm = try store.open(Added.Stock.self, Added.Part.self, version: 0)
      try realm.write {
        for stock in realm.objects(Added.Stock.self) {
          stock.words.append("last")
          stock.scores["last"] = 7
          stock.named["last"] = .some(nil)
        }
        realm.delete(realm.objects(Added.Part.self).where { $0.id == 2 })
      }
      for stock in realm.objects(Added.Stock.self) {
        let id = stock.id
        #expect(Array(stock.words) == Self.words(id) + ["last"])
        #expect(stock.parts.map(\.id) == Self.ids(id).filter { $0 != 2 })
        #expect(stock.scores.values == Array(Self.keys(id).indices) + [7])
        let rest = named(id).map { $0 == 2 ? nil : $0 }
        #expect(stock.named.values.map { $0?.id } == rest + [nil])
        #expect(Array(stock.numbers) == Self.numbers(id) && stock.notes.keys == Self.keys(id))
      }
    }
  }

  @Test func renamedDroppedAndCopiedCollectionsKeepContent() throws {
    try withMigratedFile { store in
      try fill(store)
      let realm = try store.open(
        Stock2.Stock.self, Stock2.Part.self, version: 1
      ) { migration, _ in
        migration.renameProperty(onType: "Stock", from: "words", to: "texts")
        migration.renameProperty(onType: "Stock", from: "parts", to: "members")
        migration.renameProperty(onType: "Stock", from: "named", to: "byName")
        migration.enumerateObjects(ofType: "Stock") { old, new in
          guard let words = old?["words"] as? List<String>,
            let notes = old?["notes"] as? Map<String, String>
          else { return }
          new?["copiedWords"] = Array(words)
          new?["copiedNotes"] = Dictionary(uniqueKeysWithValues: notes.map { ($0.key, $0.value) })
        }
      }
      func expectContent() throws {
        for stock in realm.objects(Stock2.Stock.self) {
          let id = stock.id
          #expect(stock.level == 4 && stock.title.hasPrefix("title \(id)"))
          #expect(Array(stock.texts) == Self.words(id))
          #expect(Array(stock.copiedWords) == Self.words(id))
          #expect(Array(stock.numbers) == Self.numbers(id))
          #expect(stock.members.map(\.id) == Self.ids(id))
          let notes = Self.words(id).map { "note" + $0.dropFirst(4) }
          #expect(stock.notes.keys == Self.keys(id) && stock.notes.values == notes)
          #expect(stock.copiedNotes.keys == Self.keys(id) && stock.copiedNotes.values == notes)
          #expect(stock.byName.keys == Self.keys(id))
          #expect(stock.byName.values.map { $0?.id } == named(id))
        }
        let seven = try #require(realm.object(ofType: Stock2.Part.self, forPrimaryKey: 7))
        let holders = Self.counts.indices.filter { Self.ids($0).contains(7) }
        #expect(seven.stocks.map(\.id) == holders)
        #expect(seven.namedIn.map(\.id) == holders.filter { named($0).contains(7) })
      }
      try expectContent()
      try realm.write {
        for stock in realm.objects(Stock2.Stock.self) { stock.title += "." }
      }
      try expectContent()
      try store.check()
      try realm.write {
        for stock in realm.objects(Stock2.Stock.self) {
          stock.numbers.append(nil)
          stock.notes["null"] = .some(nil)
        }
      }
      for stock in realm.objects(Stock2.Stock.self) {
        #expect(stock.numbers.last == .some(nil) && stock.notes["null"] == .some(nil))
      }
    }
  }

  @Test func droppedCollectionsLeaveNothing() throws {
    try withMigratedFile { store in
      try fill(store)
      let realm = try store.open(Bare.Stock.self, Bare.Part.self, version: 1)
      let report = try store.report()
      #expect(report.isSound && report.backlinkCount == 0 && report.collectionCount == 0)
      #expect(try store.count(.lists) == 0 && store.count(.dictionaries) == 0)
      // The rows still contain their bytes.
      try realm.write {
        realm.delete(realm.objects(Bare.Part.self).where { $0.id < 30 })
        realm.delete(realm.objects(Bare.Stock.self).where { $0.id > 3 })
      }
      try store.check()
      // Properties of the same names begin without elements.
      let again = try store.open(Stock1.Stock.self, Stock1.Part.self, version: 2)
      try again.write {
        for stock in again.objects(Stock1.Stock.self) {
          #expect(stock.words.isEmpty && stock.notes.isEmpty && stock.parts.isEmpty)
          stock.words.append("new")
          stock.notes["new"] = "1"
        }
      }
      #expect(again.objects(Stock1.Stock.self).map(\.words.count) == [1, 1, 1, 1])
    }
  }

  @Test func collectionsFollowObjectsWithNewIDs() throws {
    try withMigratedFile { store in
      try fill(store)
      func expectContent(
        of id: Int, _ words: List<String>, _ scores: Map<String, Int>, _ parts: [Int],
        _ named: [Int?]
      ) {
        #expect(Array(words) == Self.words(id) && scores.keys == Self.keys(id))
        #expect(parts == Self.ids(id) && named == self.named(id))
      }
      let keyless = try store.open(Keyless.Stock.self, Keyless.Part.self, version: 1)
      for stock in keyless.objects(Keyless.Stock.self) {
        expectContent(
          of: stock.id, stock.words, stock.scores, stock.parts.map(\.id),
          stock.named.values.map { $0?.id })
      }
      let holders = Self.counts.indices.filter { Self.ids($0).contains(7) }
      let seven = keyless.objects(Keyless.Part.self).where { $0.id == 7 }.first
      #expect(seven?.stocks.map(\.id) == holders)
      try keyless.write {
        for stock in keyless.objects(Keyless.Stock.self) { stock.title += "." }
      }
      try store.check()
      let keyed = try store.open(Stock1.Stock.self, Stock1.Part.self, version: 2)
      for stock in keyed.objects(Stock1.Stock.self) {
        expectContent(
          of: stock.id, stock.words, stock.scores, stock.parts.map(\.id),
          stock.named.values.map { $0?.id })
      }
      let again = keyed.object(ofType: Stock1.Part.self, forPrimaryKey: 7)
      #expect(again?.stocks.map(\.id) == holders)
    }
  }
}
