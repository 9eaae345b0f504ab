import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// Random histories of small and large lists and maps, compared with arrays and dictionaries.
@Suite struct CollectionsInRowsHistoryTests {
  /// The expected content of a tray.
  private struct Model: Equatable {
    var title = ""
    var words: [String] = []
    var numbers: [Int] = []
    var pebbles: [Int] = []
    var notes: [String: String] = [:]
    var scores: [String: Int] = [:]
    var named: [String: Int?] = [:]
  }

  private static let ids = 0..<4
  private static let pebbles = 0..<30

  private var random = SeededRandom()
  private var trays: [Int: Model] = [:]
  /// The pebbles that exist.
  private var known: Set<Int> = []

  /// A text of up to 200 characters, most often a short one.
  private mutating func text() -> String {
    let count = random.chance(70) ? random.below(20) : random.below(201)
    return String(repeating: random.pick(["a", "b", "é", "\u{0}"]), count: count)
      + "\(random.below(9))"
  }

  /// A key; some cannot be in a row.
  private mutating func key() -> String {
    if random.oneIn(40) { return "zero\u{0}\(random.below(3))" }
    if random.oneIn(40) { return String(repeating: "k", count: 436 + random.below(6)) }
    return "key \(random.below(12))"
  }

  private mutating func step(_ realm: Realm) {
    let id = random.int(Self.ids.lowerBound...Self.ids.upperBound - 1)
    guard let tray = realm.object(ofType: Tray.self, forPrimaryKey: id), var model = trays[id]
    else {
      realm.add(Tray(id))
      trays[id] = Model()
      return
    }
    switch random.below(20) {
    case 0...2: changeWords(tray.words, &model.words)
    case 3...5: changeNumbers(tray.numbers, &model.numbers)
    case 6, 7: changePebbles(tray.pebbles, &model.pebbles, realm)
    case 8...10:
      let (key, text) = (key(), text())
      tray.notes[key] = text
      model.notes[key] = text
    case 11:
      let (key, number) = (key(), random.below(100))
      tray.scores[key] = number
      model.scores[key] = number
    case 12: changeNamed(tray.named, &model.named, realm)
    case 13:
      let key = random.element(model.notes.keys.sorted()) ?? "absent"
      tray.notes[key] = nil
      model.notes[key] = nil
      let other = random.element(model.scores.keys.sorted()) ?? "absent"
      tray.scores.removeObject(for: other)
      model.scores[other] = nil
    case 14, 15:
      let title = String(repeating: "t", count: random.below(700))
      tray.title = title
      model.title = title
    case 16: clear(tray, &model)
    case 17: replace(tray, &model)
    case 18:
      let gone = random.int(Self.pebbles.lowerBound...Self.pebbles.upperBound - 1)
      delete(gone, realm, &model)
    default:
      guard random.chance(30) else { return }
      realm.delete(tray)
      trays[id] = nil
      return
    }
    trays[id] = model
  }

  private mutating func changeWords(_ list: List<String>, _ model: inout [String]) {
    let text = text()
    switch random.below(5) {
    case 0, 1:
      list.append(text)
      model.append(text)
    case 2:
      let index = random.below(model.count + 1)
      list.insert(text, at: index)
      model.insert(text, at: index)
    case 3:
      guard let index = random.element(model.indices) else { return }
      list[index] = text
      model[index] = text
    default:
      guard let index = random.element(model.indices) else { return }
      list.remove(at: index)
      model.remove(at: index)
    }
  }

  private mutating func changeNumbers(_ list: List<Int>, _ model: inout [Int]) {
    switch random.below(5) {
    case 0, 1:
      let numbers = (0..<random.below(12)).map { _ in random.int(-9...9) }
      let index = random.below(model.count + 1)
      list.insert(contentsOf: numbers, at: index)
      model.insert(contentsOf: numbers, at: index)
    case 2:
      let count = random.below(model.count + 1)
      list.removeLast(count)
      model.removeLast(count)
    case 3:
      guard model.count > 1 else { return }
      let (from, to) = (random.below(model.count), random.below(model.count))
      list.move(from: from, to: to)
      model.insert(model.remove(at: from), at: to)
    default:
      guard let index = random.element(model.indices) else { return }
      list[index] = index
      model[index] = index
    }
  }

  private mutating func changePebbles(
    _ list: List<Pebble>, _ model: inout [Int], _ realm: Realm
  ) {
    if random.chance(30), let index = random.element(model.indices) {
      list.remove(at: index)
      model.remove(at: index)
      return
    }
    for _ in 0..<random.below(8) {
      let pebble = pebble(realm)
      let index = random.below(model.count + 1)
      list.insert(pebble, at: index)
      model.insert(pebble.id, at: index)
    }
  }

  private mutating func changeNamed(
    _ map: Map<String, Pebble?>, _ model: inout [String: Int?], _ realm: Realm
  ) {
    for _ in 0..<random.below(5) {
      let key = key()
      if random.chance(30) {
        map.removeObject(for: key)
        model[key] = nil
      } else if random.chance(20) {
        map[key] = .some(nil)
        model[key] = .some(nil)
      } else {
        let pebble = pebble(realm)
        map[key] = .some(pebble)
        model[key] = .some(pebble.id)
      }
    }
  }

  /// A pebble, which is created if there is none.
  private mutating func pebble(_ realm: Realm) -> Pebble {
    let id = random.int(Self.pebbles.lowerBound...Self.pebbles.upperBound - 1)
    if known.insert(id).inserted { realm.add(Pebble(id)) }
    return realm.object(ofType: Pebble.self, forPrimaryKey: id) ?? Pebble(id)
  }

  private mutating func delete(_ id: Int, _ realm: Realm, _ model: inout Model) {
    guard known.remove(id) != nil,
      let pebble = realm.object(ofType: Pebble.self, forPrimaryKey: id)
    else { return }
    realm.delete(pebble)
    func forget(_ model: inout Model) {
      model.pebbles.removeAll { $0 == id }
      for (key, value) in model.named where value == id { model.named[key] = .some(nil) }
    }
    for key in trays.keys {
      guard var other = trays[key] else { continue }
      forget(&other)
      trays[key] = other
    }
    forget(&model)
  }

  private mutating func clear(_ tray: Tray, _ model: inout Model) {
    switch random.below(3) {
    case 0:
      tray.words.removeAll()
      model.words = []
    case 1:
      tray.notes.removeAll()
      model.notes = [:]
    default:
      tray.named.removeAll()
      model.named = [:]
    }
  }

  private mutating func replace(_ tray: Tray, _ model: inout Model) {
    var notes: [String: String] = [:]
    for _ in 0..<random.below(6) { notes[key()] = text() }
    tray.notes.set(notes.map { ($0.key, $0.value) })
    model.notes = notes
    let words = (0..<random.below(5)).map { _ in text() }
    tray.words.replaceSubrange(0..<tray.words.count, with: words)
    model.words = words
  }

  private func model(_ tray: Tray) -> Model {
    Model(
      title: tray.title, words: Array(tray.words), numbers: Array(tray.numbers),
      pebbles: tray.pebbles.map(\.id),
      notes: Dictionary(uniqueKeysWithValues: tray.notes.map { ($0.key, $0.value) }),
      scores: Dictionary(uniqueKeysWithValues: tray.scores.map { ($0.key, $0.value) }),
      named: Dictionary(uniqueKeysWithValues: tray.named.map { ($0.key, $0.value?.id) }))
  }

  private func expect(
    _ realm: Realm, _ trays: [Int: Model], _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let all = realm.objects(Tray.self)
    #expect(all.map(\.id) == trays.keys.sorted(), comment, sourceLocation: sourceLocation)
    for tray in all {
      #expect(model(tray) == trays[tray.id], comment, sourceLocation: sourceLocation)
      // In the order of the keys, and with the values that a search finds.
      let keys = tray.notes.keys
      #expect(
        keys == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, comment,
        sourceLocation: sourceLocation)
      #expect(keys.map { tray.notes[$0] } == tray.notes.values, comment)
      #expect(
        keys.count == tray.notes.count && tray.words.count == trays[tray.id]?.words.count, comment,
        sourceLocation: sourceLocation)
    }
  }

  /// Compares the links with the backlinks.
  private func expectBacklinks(_ realm: Realm, _ comment: Comment) {
    #expect(realm.objects(Pebble.self).map(\.id) == known.sorted(), comment)
    for pebble in realm.objects(Pebble.self) {
      let holders = trays.keys.sorted().flatMap { key in
        (trays[key]?.pebbles ?? []).filter { $0 == pebble.id }.map { _ in key }
      }
      #expect(pebble.trays.map(\.id) == holders, comment)
    }
  }

  /// Compares the reported properties with those that differ.
  private func expectChanges(
    from old: Realm, to new: Realm, _ before: [Int: Model], _ comment: Comment
  ) throws {
    let changed = try new.changes(since: old).objects(Tray.self)
    for (id, model) in trays {
      guard let past = before[id] else { continue }
      let names = changed.modifications.filter { $0.new.id == id }
        .flatMap { $0.properties.map(\.name) }
      let differing = [
        past.title == model.title ? nil : "title", past.words == model.words ? nil : "words",
        past.numbers == model.numbers ? nil : "numbers",
        past.pebbles == model.pebbles ? nil : "pebbles", past.notes == model.notes ? nil : "notes",
        past.scores == model.scores ? nil : "scores", past.named == model.named ? nil : "named",
      ].compactMap(\.self)
      // A title that was set to its own value is reported too.
      #expect(Set(names).subtracting(["title"]) == Set(differing).subtracting(["title"]), comment)
    }
  }

  @Test mutating func randomStepsMatchStandardLibrary() throws {
    let comment: Comment = "\(random)"
    let store = try TemporaryRealm()
    defer { store.end() }
    var realm = try store.open()
    try realm.write { for id in Self.ids { realm.add(Tray(id)) } }
    for id in Self.ids { trays[id] = Model() }
    var steps = 0
    while steps < 300 {
      let (frozen, before, pebbles) = (realm.freeze(), trays, known)
      let count = 1 + random.below(random.chance(20) ? 30 : 5)
      let isCancelled = random.chance(15)
      steps += count
      do {
        try realm.write {
          for _ in 0..<count { step(realm) }
          if random.chance(30) { expect(realm, trays, comment) }
          if isCancelled { throw Cancelled() }
        }
      } catch is Cancelled {
        (trays, known) = (before, pebbles)
      }
      expect(realm, trays, comment)
      expect(frozen, before, comment)
      expectBacklinks(realm, comment)
      try store.check(comment)
      try expectChanges(from: frozen, to: realm.freeze(), before, comment)
      if random.oneIn(20) {
        try store.close()
        realm = try store.open()
        expect(realm, trays, comment)
      }
    }
  }
}
