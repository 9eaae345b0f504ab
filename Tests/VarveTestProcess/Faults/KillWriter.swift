import CTestFaults
import Glibc
import Varve

/// A process that writes to a store, among others that do.
struct KillWriter {
  private let configuration: Realm.Configuration
  private let row: KillRow
  private let words: [String]
  private var workload: FaultWorkload
  private var random: DamageRandom

  init(_ path: String, _ row: KillRow, _ words: [String]) {
    self.row = row
    self.words = words
    configuration = KillCommands.configuration(path, words)
    let seed = words.count > 2 ? Int(words[2]) ?? 0 : 0
    workload = FaultWorkload(seed: seed)
    if words.contains("grow") { workload.longText = 40_000 }
    random = DamageRandom(state: UInt64(bitPattern: Int64(seed)))
  }

  /// Writes until the test ends the process. A compacting process opens the store again and again.
  mutating func run() throws {
    repeat {
      try use(times: words.contains("compact") ? 1 + random.below(5) : .max)
      // No realm is left, so that this closes the files.
      try Realm.close(configuration)
    } while !row.shouldStop
  }

  private mutating func use(times: Int) throws {
    let realm = try Realm(configuration: configuration)
    var left = times
    while left > 0, !row.shouldStop {
      try write(realm)
      left -= 1
      // Others write meanwhile.
      if random.below(4) == 0 { usleep(useconds_t(random.below(2000))) }
    }
  }

  /// Runs a transaction, and acknowledges it.
  private mutating func write(_ realm: Realm) throws {
    row[kill_begun] += 1
    // A fault that a kill must show.
    if words.contains("early") { row[kill_acknowledged] += 1 }
    if words.contains("split") {
      try realm.write { workload.change(realm, workload.begun + 1) }
    }
    let number = try realm.write {
      let number = FaultWorkload.number(in: realm) + 1
      if !words.contains("split") { workload.change(realm, number) }
      FaultWorkload.state(realm, number)
      let count = realm.object(ofType: FaultWriter.self, forPrimaryKey: row.number)?.count ?? 0
      realm.create(
        FaultWriter.self, value: ["id": row.number, "count": count + 1, "number": number],
        update: .modified)
      return number
    }
    row[kill_number] = number
    if !words.contains("early") { row[kill_acknowledged] += 1 }
  }
}
