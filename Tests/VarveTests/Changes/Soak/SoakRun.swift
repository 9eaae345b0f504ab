import Foundation
import Synchronization
import Testing
import Varve
import VarveCore
import VarveLocks
import VarveStorage
import VarveTestSupport

/// The writers of a soak, and its points of rest.
///
/// Thread safety: used by one thread and by the threads that it starts.
final class SoakRun: Sendable {
  private let observers: SoakObservers
  private let realm: Realm
  private let path: String
  private let commits: Int
  /// Guards the choices.
  private let random: Lock<SeededRandom>
  private let rounds = Atomic<Int>(0)
  private let kills = Atomic<Int>(0)
  private let silentCommits = Atomic<Int>(0)

  init(
    _ random: SeededRandom, _ observers: SoakObservers, realm: Realm, path: String, commits: Int
  ) {
    self.random = Lock(random)
    self.observers = observers
    self.realm = realm
    self.path = path
    self.commits = commits
  }

  /// A summary of the run.
  var summary: String {
    func count(_ number: borrowing Atomic<Int>) -> Int { number.load(ordering: .relaxed) }
    return "\(realm.version.number) commits, \(count(silentCommits)) of them silent,"
      + " \(count(kills)) killed writers, \(count(rounds)) rests"
  }

  private func choose<R>(_ choice: (inout SeededRandom) -> R) -> R {
    random.withLock { choice(&$0) }
  }

  /// Writes until there are enough commits, and compares the mirrors with the store at each point
  /// of rest.
  func run() throws {
    while realm.version.number < commits {
      let writing = SoakWriting(count: 2)
      for _ in 0..<2 {
        Thread.detachNewThread { [self] in
          write()
          writing.end()
        }
      }
      while writing.goesOn { try writeHere() }
      rounds.add(1, ordering: .relaxed)
      guard try comesToRest() else { return }
    }
  }

  /// Starts a writer process, which is sometimes killed.
  private func write() {
    let (seed, count, killTime) = choose {
      ($0.below(1 << 40), 50 + $0.below(200), $0.oneIn(3) ? $0.below(80) : nil)
    }
    let process = TestProcess(["soakWrite", path, "\(seed)", "\(count)"])
    guard process.line() == "ready" else {
      Issue.record("A writer does not start.")
      return
    }
    process.go()
    if let killTime {
      usleep(useconds_t(killTime * 1000))
      process.kill()
      kills.add(1, ordering: .relaxed)
    } else if process.line() != "done" {
      Issue.record("A writer ended early.")
    }
    process.wait()
  }

  /// Writes from the observing process, sometimes without notifying all observers.
  private func writeHere() throws {
    let (time, isSilent, number) = choose { ($0.below(12), $0.oneIn(2), $0.below(1000)) }
    usleep(useconds_t(time * 1000))
    let writer = realm
    func write() {
      guard let herd = writer.object(ofType: Herd.self, forPrimaryKey: 1) else { return }
      let cows = writer.objects(Cow.self)
      herd.size = number % 20
      herd.marks.append(number)
      herd.notes["n\(number % 15)"] = "here \(number)"
      guard !cows.isEmpty else { return }
      let cow = cows[number % cows.count]
      cow.age = number % 10
      cow.home = number % 3 == 0 ? nil : herd
      herd.cows.append(cow)
      herd.named["n\(number % 12)"] = cow
    }
    if isSilent {
      try observers.writeSilently(number, through: writer, write)
      silentCommits.add(1, ordering: .relaxed)
    } else {
      try writer.write { write() }
    }
  }

  /// Waits until all mirrors equal the store.
  ///
  /// - Returns: Whether they do.
  private func comesToRest() throws -> Bool {
    try realm.refresh()
    let now = realm.freeze()
    let deadline = ContinuousClock.now + .seconds(30)
    for observed in observers.all {
      let rows = observed.rows(now)
      while let difference = observed.mirror.difference(from: rows, at: now.version.number) {
        guard ContinuousClock.now < deadline, observed.mirror.faults.isEmpty else {
          Issue.record("\(difference) \(observed.mirror.faults) \(choose { $0.description })")
          return false
        }
        usleep(1000)
      }
    }
    return true
  }
}

/// The number of running writers.
private final class SoakWriting: Sendable {
  private let count: Atomic<Int>

  init(count: Int) { self.count = Atomic(count) }

  var goesOn: Bool { count.load(ordering: .acquiring) > 0 }
  func end() { count.subtract(1, ordering: .acquiringAndReleasing) }
}

/// Runs the housekeeper of the store much more often than once a second.
final class SoakKeeping: Sendable {
  private let goesOn = Atomic<Bool>(true)

  init(_ store: Store, isImpatient: Bool) {
    guard isImpatient else { return }
    Thread.detachNewThread { [weak self] in
      while self?.goesOn.load(ordering: .relaxed) == true {
        store.tidy()
        usleep(2000)
      }
    }
  }

  func end() { goesOn.store(false, ordering: .relaxed) }
}
