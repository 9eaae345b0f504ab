import CTestFaults
import Foundation
import Glibc
import Varve
import VarveLocks

/// A process that observes a store, and compares what its change sets lead to with the store.
final class KillObserver: Sendable {
  private struct State {
    var parcels = KillMirror<FaultParcel>(FaultContent.hash)
    /// The parcels with odd labels, in the order of their weights.
    var odd = KillMirror<FaultParcel> {
      UInt64(bitPattern: Int64($0.id)) &* 1_000_003 &+ UInt64(bitPattern: Int64($0.weight))
    }
    /// The number of the last version of all parcels.
    var number = -1
    var changeCount = 0
  }

  private let configuration: Realm.Configuration
  private let row: KillRow
  /// Whether one change set is skipped: a fault that the comparison must show.
  private let skipsChange: Bool
  /// Guards the mirrors.
  private let state = Lock(State())

  init(_ path: String, _ row: KillRow, _ words: [String]) {
    self.row = row
    configuration = KillCommands.configuration(path, words)
    skipsChange = words.contains("skip")
  }

  /// Observes until the test ends the process, which it does when nobody writes any more.
  func run() throws {
    try use()
    try Realm.close(configuration)
  }

  private func use() throws {
    let realm = try Realm(configuration: configuration)
    let tokens = [
      try realm.objects(FaultParcel.self).observe { [self] change in
        checking { try noteParcels(change) }
      },
      try Self.odd(realm).observe { [self] change in checking { try noteOdd(change) } },
      try realm.objects(FaultLedger.self).observe { [self] in noteLedger($0) },
    ]
    while !row.shouldStop { usleep(1000) }
    try compare(realm)
    for token in tokens { token.invalidate() }
  }

  /// The parcels with odd labels, in the order of their weights.
  private static func odd(_ realm: Realm) -> Results<FaultParcel> {
    realm.objects(FaultParcel.self)
      .where { $0.label.in(["label 1", "label 3", "label 5"]) }
      .sorted(by: [SortDescriptor(keyPath: "weight"), SortDescriptor(keyPath: "id")])
  }

  private func checking(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      KillCommands.fail("observer: \(error)")
    }
  }

  /// The mirror equals what the ledger of the same version states.
  private func noteParcels(_ change: RealmCollectionChange<Results<FaultParcel>>) throws {
    try state.withLock { state in
      let collection = try apply(change, &state.parcels, &state.changeCount)
      let ledger = collection.realm?.object(ofType: FaultLedger.self, forPrimaryKey: 0)
      let number = ledger?.number ?? 0
      guard number > state.number else {
        throw FaultCheck.Fault(description: "transaction \(number) after \(state.number)")
      }
      guard state.parcels.count == ledger?.parcelCount ?? 0,
        Int(truncatingIfNeeded: state.parcels.sum) == ledger?.digest ?? 0
      else {
        throw FaultCheck.Fault(
          description: "transaction \(number): the mirror differs, after \(state.number)")
      }
      state.number = number
      row[kill_deliveries] += 1
    }
  }

  /// Every transaction changes the ledger, and not always a parcel.
  private func noteLedger(_ change: RealmCollectionChange<Results<FaultLedger>>) {
    switch change {
    case .initial(let ledgers), .update(let ledgers, _, _, _):
      row[kill_seen] = ledgers.first?.number ?? 0
    case .error(let error): KillCommands.fail("observer: \(error)")
    }
  }

  /// The mirror equals the collection.
  private func noteOdd(_ change: RealmCollectionChange<Results<FaultParcel>>) throws {
    try state.withLock { state in
      var ignored = 0
      let collection = try apply(change, &state.odd, &ignored)
      guard state.odd.equals(collection) else {
        throw FaultCheck.Fault(description: "the sorted mirror differs")
      }
      row[kill_deliveries] += 1
    }
  }

  private func apply(
    _ change: RealmCollectionChange<Results<FaultParcel>>, _ mirror: inout KillMirror<FaultParcel>,
    _ changeCount: inout Int
  ) throws -> Results<FaultParcel> {
    switch change {
    case .initial(let collection):
      mirror.reset(collection)
      return collection
    case .update(let collection, let deletions, let insertions, let modifications):
      changeCount += 1
      if !skipsChange || changeCount != 3 {
        try mirror.apply(collection, deletions, insertions, modifications)
      }
      return collection
    case .error(let error): throw error
    }
  }

  /// Waits until the mirrors equal the newest version, which nobody changes.
  private func compare(_ realm: Realm) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      let newest = try Realm(configuration: configuration).freeze()
      let isEqual = state.withLock { state in
        state.parcels.equals(newest.objects(FaultParcel.self))
          && state.odd.equals(Self.odd(newest))
      }
      if isEqual { return }
      guard ContinuousClock.now < deadline else {
        throw FaultCheck.Fault(description: "the mirrors do not reach the newest version")
      }
      usleep(1000)
    }
  }
}
