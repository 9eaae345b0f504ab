import Foundation
import Testing
import Varve
import VarveTestSupport

/// Long random histories of sets, compared with the sets of the standard library.
@Suite struct SetHistoryTests {
  /// The expected content of a bag. Strings are bytes: Swift compares two normal forms as equal.
  private struct Model: Equatable {
    var texts: Set<[UInt8]> = []
    var numbers: Set<Double?> = []
    var coins: Set<Int> = []
  }

  /// Strings with common prefixes longer than LMDB's maximum key size.
  private static let texts: [String] = {
    let long = String(repeating: "k", count: 430)
    return ["", "a", "b", "\u{0}", "\u{e9}", "e\u{301}", "👍"]
      + [0, 8, 9, 10, 57, 82, 3_000].flatMap { count in
        ["x", "y", "\u{0}"].map { long + String(repeating: "l", count: count) + $0 }
      }
  }()
  private static let numbers: [Double?] = [nil, 0, 1, 1.5, -2, .infinity, -.infinity, 1e300]

  private var random = SeededRandom()
  private var bags: [Int: Model] = [0: Model(), 1: Model()]
  private var coins: Set<Int> = []

  private mutating func step(_ realm: Realm) {
    let id = random.below(2)
    guard let bag = realm.object(ofType: Bag.self, forPrimaryKey: id), var model = bags[id] else {
      return
    }
    let texts = (0..<random.below(4)).map { _ in random.pick(Self.texts) }
    let bytes = texts.map { Array($0.utf8) }
    switch random.below(15) {
    case 0, 1:
      bag.strings.insert(objectsIn: texts)
      model.texts.formUnion(bytes)
    case 2, 3:
      bag.strings.subtract(texts)
      model.texts.subtract(bytes)
    case 4:
      bag.strings.formSymmetricDifference(texts)
      model.texts.formSymmetricDifference(Set(bytes))
    case 5 where random.chance(30):
      bag.strings.formIntersection(texts)
      model.texts.formIntersection(bytes)
    case 6, 7:
      let number = random.pick(Self.numbers)
      bag.optionalDoubles.insert(number)
      model.numbers.insert(number)
    case 8:
      let number = random.pick(Self.numbers)
      bag.optionalDoubles.remove(number)
      model.numbers.remove(number)
    case 9, 10:
      let number = random.int(-20...20)
      bag.coins.insert(realm.create(Coin.self, value: ["id": number], update: .modified))
      coins.insert(number)
      model.coins.insert(number)
    case 11:
      if let number = random.element(coins.sorted()),
        let coin = realm.object(ofType: Coin.self, forPrimaryKey: number)
      {
        bag.coins.remove(coin)
        model.coins.remove(number)
      }
    case 12:
      let gone = Set(coins.shuffled(using: &random).prefix(random.below(4)))
      realm.delete(gone.compactMap { realm.object(ofType: Coin.self, forPrimaryKey: $0) })
      coins.subtract(gone)
      model.coins.subtract(gone)
      for key in bags.keys { bags[key]?.coins.subtract(gone) }
    case 13:
      bag.coins.insert(objectsIn: realm.objects(Coin.self))
      model.coins = coins
    default:
      guard random.chance(20) else { return }
      realm.delete(bag)
      realm.add(Bag(id))
      model = Model()
    }
    bags[id] = model
  }

  private func expect(
    _ realm: Realm, _ bags: [Int: Model], _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (id, model) in bags {
      guard let bag = realm.object(ofType: Bag.self, forPrimaryKey: id) else {
        Issue.record("No bag \(id).", sourceLocation: sourceLocation)
        continue
      }
      let texts = model.texts.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(
        bag.strings.map { Array($0.utf8) } == texts && bag.strings.count == texts.count, comment,
        sourceLocation: sourceLocation)
      let isThere = Self.texts.allSatisfy {
        bag.strings.contains($0) == model.texts.contains(Array($0.utf8))
      }
      #expect(isThere, comment, sourceLocation: sourceLocation)
      let numbers = model.numbers.sorted { ($0 ?? -.nan, 0) < ($1 ?? -.nan, 0) || $0 == nil }
      #expect(
        Set(bag.optionalDoubles) == model.numbers
          && bag.optionalDoubles.compactMap(\.self) == numbers.compactMap(\.self).sorted(), comment,
        sourceLocation: sourceLocation)
      #expect(bag.coins.map(\.id) == model.coins.sorted(), comment, sourceLocation: sourceLocation)
    }
  }

  @Test mutating func randomStepsMatchStandardLibrary() throws {
    let comment: Comment = "\(random)"
    let store = try TemporaryRealm()
    defer { store.end() }
    var realm = try store.open()
    try realm.write { realm.add([Bag(0), Bag(1)]) }
    for number in 0..<120 {
      let (frozen, before, known) = (realm.freeze(), bags, coins)
      let isCancelled = random.chance(15)
      do {
        try realm.write {
          for _ in 0..<1 + random.below(12) { step(realm) }
          if random.chance(30) { expect(realm, bags, comment) }
          if isCancelled { throw Cancelled() }
        }
      } catch is Cancelled {
        (bags, coins) = (before, known)
      }
      expect(realm, bags, comment)
      expect(frozen, before, comment)
      try expectChanges(from: frozen, to: realm.freeze(), comment)
      if number % 40 == 39 {
        try store.close()
        realm = try store.open()
        expect(realm, bags, comment)
      } else if number % 5 == 0 {
        try store.check(comment)
      }
    }
  }

  @Test func groupedWritesKeepSuccessfulWrites() async throws {
    try await withTemporaryRealm { realm, store in
      let bag = Bag(1)
      try await realm.asyncWrite { realm.add(bag) }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<60 {
          group.addTask {
            try? await realm.asyncWrite {
              bag.ints.insert(number)
              bag.ints.remove(number - 1_000)
              if number % 3 == 0 { throw Cancelled() }
            }
          }
        }
      }
      #expect(Array(bag.ints) == (0..<60).filter { $0 % 3 != 0 } && bag.ints.count == 40)
      try store.check()
    }
  }

  /// Applies the change sets of the sets to their old content.
  private func expectChanges(
    from old: Realm, to new: Realm, _ comment: Comment
  ) throws {
    let changes = try new.changes(since: old)
    for id in bags.keys {
      guard let before = old.object(ofType: Bag.self, forPrimaryKey: id),
        let after = new.object(ofType: Bag.self, forPrimaryKey: id)
      else { continue }
      let texts = try changes.changes(of: after.strings)
      expect(
        texts, before.strings.map { Array($0.utf8) }, after.strings.map { Array($0.utf8) }, comment)
      let numbers = try changes.changes(of: after.optionalDoubles)
      expect(numbers, Array(before.optionalDoubles), Array(after.optionalDoubles), comment)
      let coins = try changes.changes(of: after.coins)
      expect(coins, before.coins.map(\.id), after.coins.map(\.id), comment)
      let named = try changes.objects(Bag.self).modifications
        .filter { $0.new.id == id }.flatMap { $0.properties.map(\.name) }
      #expect(named.contains("strings") == !texts.isEmpty, comment)
      #expect(named.contains("coins") == !(coins.insertions + coins.deletions).isEmpty, comment)
    }
  }

  private func expect<E: Equatable>(
    _ changes: CollectionChanges, _ before: [E], _ after: [E], _ comment: Comment
  ) {
    var mirror = before
    for index in changes.deletions.reversed() { mirror.remove(at: index) }
    // Elements that stayed are in neither.
    #expect(changes.deletions.allSatisfy { !after.contains(before[$0]) }, comment)
    #expect(changes.insertions.allSatisfy { !before.contains(after[$0]) }, comment)
    for index in changes.insertions { mirror.insert(after[index], at: index) }
    #expect(mirror == after, comment)
  }
}
