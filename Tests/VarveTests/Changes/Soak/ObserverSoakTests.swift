import Dispatch
import Foundation
import Testing
import Varve
import VarveStorage
import VarveTestSupport

/// Random writes by two processes, some of which are killed, and observers of every kind: at rest,
/// the copy that each observer maintains from its notifications equals the content of the store.
///
/// `VARVE_SOAK_COMMITS` sets the number of commits, `VARVE_SEED` the seed.
@Suite struct ObserverSoakTests {
  private static let commits =
    ProcessInfo.processInfo.environment["VARVE_SOAK_COMMITS"].flatMap { Int($0) } ?? 1500

  @Test func noChangeIsLostOrRepeated() async throws {
    try await soak()
  }

  @Test func noChangeIsLostWhenSlowObserversRestart() async throws {
    try await soak(isImpatient: true)
  }

  /// - Parameter isImpatient: Whether an observer that does not accept a change at once receives
  ///   the full state instead.
  private func soak(isImpatient: Bool = false) async throws {
    let random = SeededRandom()
    try await withTemporaryRealm {
      guard isImpatient else { return }
      $0.pinBudget.age = .milliseconds(1)
      // The live realms must not be moved for being idle: the number of housekeeper passes counts.
      $0.idleLimit = .seconds(1 << 20)
    } _: { realm, store in
      try await realm.write {
        for id in 1...2 { realm.create(Herd.self, value: ["id": id]) }
        for id in 0..<20 { realm.create(Cow.self, value: ["id": id, "name": "n\(id)"]) }
      }
      let observers = SoakObservers(realm, seed: random.seed)
      try await observe(realm, try store.open(), observers)
      let writer = try store.open()
      // The mirrors receive the state that the writer reads after a commit: neither lag nor the pin
      // budget may move the writer before.
      writer.autorefresh = false
      let run = SoakRun(random, observers, realm: writer, path: store.path, commits: Self.commits)
      let keeping = SoakKeeping(try store.configuration.store(), isImpatient: isImpatient)
      // On its own thread: the observers need the task threads.
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          do {
            try run.run()
          } catch {
            Issue.record(error, "\(random)")
          }
          continuation.resume()
        }
      }
      keeping.end()
      observers.end()
      for observed in observers.all {
        #expect(observed.mirror.faults == [], "\(random)")
        #expect(observed.mirror.deliveries > 1, "\(observed.mirror.name), \(random)")
      }
      print("soak: \(run.summary), \(observers.deliveries) deliveries, \(random)")
    }
  }

  private func observe(_ realm: Realm, _ other: Realm, _ observers: SoakObservers) async throws {
    let object = try #require(realm.object(ofType: Herd.self, forPrimaryKey: 1))
    @Sendable func herd(_ realm: Realm) -> Herd {
      realm.object(ofType: Herd.self, forPrimaryKey: 1) ?? Herd()
    }
    let concurrent = DispatchQueue(label: "soak", attributes: .concurrent)
    try observers.observeRealm("realm", other)
    try await observers.observeObject("object", object)
    try observers.iterate("list of values", of: { herd($0).marks }, row: { "\($0)" })
    try observers.observe("list of objects", on: concurrent, of: { herd($0).cows }, row: \.row)
    try await observers.observeOnActor(
      "list of objects, key path", keyPaths: ["age"], of: { herd($0).cows }, row: \.ageRow)
    try await observers.observeMap(
      "map of values", iterating: false, of: { herd($0).notes }, text: { $0 })
    try await observers.observeMap(
      "map of objects", iterating: true, of: { herd($0).named }, text: { $0?.row ?? "nil" })
    try observers.observe("results", of: { $0.objects(Cow.self) }, row: \.row)
    try await observers.observeOnActor(
      "filtered, key path", keyPaths: ["age"],
      of: { $0.objects(Cow.self).where { $0.age >= 5 } }, row: \.ageRow)
    try observers.observe(
      "filtered over a link, key path over a link", on: concurrent, keyPaths: ["home.size"],
      of: { $0.objects(Cow.self).where { $0.home.size > 9 } }, row: \.sizeRow)
    try observers.iterate(
      "sorted", of: { $0.objects(Cow.self).sorted(by: \.name).sorted(by: \.age) }, row: \.row)
    try observers.observe("linking objects", of: { herd($0).residents }, row: \.row)
    try observers.iterate(
      "results over a list",
      of: { herd($0).cows.where { $0.age < 7 }.sorted(by: \.name, ascending: false) }, row: \.row)
  }
}
