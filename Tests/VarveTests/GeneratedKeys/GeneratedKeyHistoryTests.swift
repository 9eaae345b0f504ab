import Testing
import Varve
import VarveTestSupport

/// The keys of a class with generated keys, and the greatest key that has ever been assigned.
private struct KeyModel {
  var keys: Set<Int> = []
  var last = 0

  /// Runs a step of a write and returns the assigned key.
  mutating func run(_ step: KeyStep) -> Int? {
    switch step {
    case .add:
      last = max(last, 0) + 1
      keys.insert(last)
      return last
    case .addGiven(let key):
      guard key != 0, keys.insert(key).inserted else { return nil }
      last = max(last, key)
      return key
    case .deleteGreatest:
      if let key = keys.max() { keys.remove(key) }
    case .delete(let index):
      let sorted = keys.sorted()
      if !sorted.isEmpty { keys.remove(sorted[index % sorted.count]) }
    case .deleteAll: keys = []
    }
    return nil
  }
}

private enum KeyStep: Sendable {
  case add
  case addGiven(Int)
  case deleteGreatest
  case delete(Int)
  case deleteAll

  init(_ random: inout SeededRandom, last: Int) {
    switch random.below(20) {
    case 0..<9: self = .add
    case 9..<12: self = .addGiven(last + random.int(-6...4))
    case 12..<16: self = .deleteGreatest
    case 16..<19: self = .delete(random.below(1000))
    default: self = .deleteAll
    }
  }

  /// Runs the same step in a store.
  func run(_ realm: Realm) -> Int? {
    let tickets = realm.objects(Ticket.self).sorted(by: \.id)
    switch self {
    case .add: return realm.create(Ticket.self).id
    case .addGiven(let key):
      guard key != 0, realm.object(ofType: Ticket.self, forPrimaryKey: key) == nil else {
        return nil
      }
      return realm.create(Ticket.self, value: ["id": key]).id
    case .deleteGreatest:
      if let ticket = tickets.last { realm.delete(ticket) }
    case .delete(let index):
      let count = tickets.count
      if count > 0 { realm.delete(tickets[index % count]) }
    case .deleteAll: realm.deleteAll()
    }
    return nil
  }
}

/// The steps of one write, and whether the write is rolled back.
private struct KeyWrite: Sendable {
  let steps: [KeyStep]
  let isRolledBack: Bool

  init(_ random: inout SeededRandom, last: Int) {
    var steps: [KeyStep] = []
    for _ in 0..<random.int(1...8) { steps.append(KeyStep(&random, last: last)) }
    self.steps = steps
    isRolledBack = random.oneIn(4)
  }

  /// - Returns: The keys assigned by the steps.
  func run(_ model: inout KeyModel) -> [Int?] {
    var changed = model
    let keys = steps.map { changed.run($0) }
    if !isRolledBack { model = changed }
    return keys
  }

  func run(_ realm: Realm, expecting keys: [Int?], _ comment: String) throws {
    let found = steps.map { $0.run(realm) }
    #expect(found == keys, "\(comment)")
    if isRolledBack { throw Cancelled() }
  }
}

/// Random writes, alone and in groups, compared with a model.
@Suite struct GeneratedKeyHistoryTests {
  @Test(arguments: 0..<20)
  func randomWritesMatchModel(run: Int) async throws {
    var random = SeededRandom()
    for _ in 0..<run { _ = random.next() }
    random = SeededRandom(seed: random.seed &+ UInt64(run))
    try await withPatientStore { realm, store in
      var realm = realm
      var model = KeyModel()
      for _ in 0..<40 {
        if random.oneIn(3) {
          try await runGroup(&random, &model, realm, store)
        } else {
          let write = KeyWrite(&random, last: model.last)
          let keys = write.run(&model)
          do {
            let comment = "\(random)"
            try realm.writeSynchronously { try write.run(realm, expecting: keys, comment) }
            #expect(!write.isRolledBack)
          } catch is Cancelled {}
        }
        if random.oneIn(8) {
          try store.close()
          realm = try store.open()
        }
        #expect(realm.objects(Ticket.self).map(\.id).sorted() == model.keys.sorted(), "\(random)")
      }
    }
  }

  private func runGroup(
    _ random: inout SeededRandom, _ model: inout KeyModel, _ realm: Realm, _ store: TemporaryRealm
  ) async throws {
    var closures: [@Sendable () throws -> Void] = []
    var isRolledBack: [Bool] = []
    let comment = "\(random)"
    for _ in 0..<random.int(2...6) {
      let write = KeyWrite(&random, last: model.last)
      let keys = write.run(&model)
      isRolledBack.append(write.isRolledBack)
      closures.append { try write.run(realm, expecting: keys, comment) }
    }
    let results = try await grouped(realm, store, closures)
    #expect(results.map { (try? $0.get()) == nil } == isRolledBack, "\(comment)")
    _ = try realm.refresh()
  }
}
