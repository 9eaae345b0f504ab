import CVarve
import Foundation
import Glibc
import Synchronization
import Varve
import VarveStorage

/// Damages a store in many ways, and uses each damaged store in a separate process, where a crash
/// is detected.
enum DamageCommands {
  /// The way a damaged file is used.
  enum Use: Int, CaseIterable {
    /// A file without its companion files, like one that was copied.
    case copyReadThenWrite, copyWrite
    /// A file whose pages are checked one by one, like those of a large file.
    case pathsReadThenWrite, pathsWrite
    /// A file that the signal page describes.
    case knownReadThenWrite, knownWrite
    /// A file that is damaged while it is open.
    case openReadThenWrite

    var reads: Bool { self != .copyWrite && self != .knownWrite && self != .pathsWrite }
    var checksPaths: Bool { self == .pathsReadThenWrite || self == .pathsWrite }
  }

  /// The progress of the process that uses the file, in memory that its parent reads.
  struct Progress {
    var stage: Int32 = 0
    var isRefused: Int32 = 0
    var isWritten: Int32 = 0
    /// Whether a check found no problem: before the writes, and after them.
    var isSound: Int32 = 0
    var isSoundAfterwards: Int32 = 0
    /// Whether the checks before and after the reads had different results.
    var isUnsteady: Int32 = 0
    /// The digests of what the live realm read, and the frozen one.
    var live: UInt64 = 0
    var frozen: UInt64 = 0
    /// The peak memory use when the reads had ended, in KiB.
    var readMemory = 0
    /// Whether an export ended without an error, and the digest of its text.
    var isExported: Int32 = 0
    var exportDigest: UInt64 = 0
    /// Whether a salvage made a new store, and what it reported.
    var isSalvaged: Int32 = 0
    var isComplete: Int32 = 0
    var rescuedCount = 0
    /// Whether an export or a salvage threw an error of another type than those of the library.
    var isUntyped: Int32 = 0
    static let stages = [
      "start", "open", "live", "frozen", "check", "write", "checkAgain", "close", "end", "salvage",
      "export",
    ]
  }

  /// Runs a command: `damage` with the seed, the first case and the number of cases; `damageCase`
  /// with the seed and one case, in this process.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String, _ numbers: [Int]) throws -> Bool {
    guard command == "damage" || command == "damageCase", numbers.count >= 2 else { return false }
    let memory = mmap(
      nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { return true }
    let progress = memory.bindMemory(to: Progress.self, capacity: 1)
    progress.initialize(to: Progress())
    guard let bench = try DamageBench(path, progress) else {
      say("no store")
      return true
    }
    let seed = UInt64(numbers[0])
    if command == "damageCase" {
      let damaged = bench.prepare(seed, numbers[1])
      damaged.use(progress)
      say("ended")
      return true
    }
    var totals = DamageTotals()
    for number in numbers[1]..<numbers[1] + numbers[2] { bench.run(seed, number, &totals) }
    for line in totals.lines { say(line) }
    say("done")
    return true
  }
}

/// Counts how the uses of damaged files ended.
struct DamageTotals {
  private var counts: [String: Int] = [:]

  mutating func note(_ what: String) { counts[what, default: 0] += 1 }

  var lines: [String] { counts.sorted { $0.key < $1.key }.map { "total \($0.key) \($0.value)" } }
}

/// The valid store, from which damaged stores are made.
struct DamageBench {
  let path: String
  let pristine: DamagedFile
  /// The signal page after a clean close.
  let signal: [UInt8]
  let progress: UnsafeMutablePointer<DamageCommands.Progress>
  /// What was found in the valid store.
  let sound: DamageCommands.Progress
  /// What was found in the version before, which a damaged meta page may make the newest one.
  let older: DamageCommands.Progress

  /// Makes the store in a separate process: this process has no store open, so that its children
  /// can open one.
  init?(_ path: String, _ progress: UnsafeMutablePointer<DamageCommands.Progress>) throws {
    self.path = path
    self.progress = progress
    guard Self.end({ try DamageStore.make(path) }) == 0,
      let bytes = Self.bytes(path), let signal = Self.bytes(path + "-signal")
    else { return nil }
    pristine = DamagedFile(bytes)
    self.signal = signal
    let valid = DamagedCase(
      path: path, file: nil, use: .knownReadThenWrite, isExported: true, isSalvaged: true)
    guard Self.end({ valid.use(progress) }) == 0 else { return nil }
    sound = progress.pointee
    guard sound.isWritten == 1, sound.isSound == 1, sound.isSoundAfterwards == 1,
      sound.isExported == 1, sound.isSalvaged == 1, sound.isComplete == 1
    else { return nil }
    put(pristine.olderVersion, path)
    for suffix in ["-lock", "-signal"] { unlink(path + suffix) }
    progress.pointee = DamageCommands.Progress()
    guard Self.end({ valid.use(progress) }) == 0 else { return nil }
    older = progress.pointee
    guard older.isSound == 1, older.isUnsteady == 0, older.isExported == 1, older.isSalvaged == 1,
      older.live != sound.live
    else { return nil }
  }

  /// Runs a body in a child process.
  ///
  /// - Returns: The status with which it ended.
  static func end(_ body: () throws -> Void) -> Int32 {
    let child = varve_fork()
    if child == 0 {
      // A process that never ends results in an error. On a busy machine a valid one may take long.
      var limit = rlimit(rlim_cur: 30, rlim_max: 30)
      setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
      alarm(300)
      let null = open("/dev/null", O_WRONLY)
      if getenv("VARVE_DAMAGE_LOUD") == nil { dup2(null, 2) }
      do { try body() } catch { _exit(3) }
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    (try? Data(contentsOf: URL(filePath: path))).map { [UInt8]($0) }
  }

  /// Replaces the store with a damaged file, or with a valid one if the use damages an open file.
  func prepare(_ seed: UInt64, _ number: Int) -> DamagedCase {
    var random = DamageRandom(state: seed &* 1_000_003 &+ UInt64(number))
    let kind = DamageKind.allCases[random.below(DamageKind.allCases.count)]
    var use = DamageCommands.Use.allCases[random.below(DamageCommands.Use.allCases.count)]
    // Truncating a mapped file kills the process that reads it: a reader cannot detect this damage.
    if kind == .cutFile, use == .openReadThenWrite { use = .knownReadThenWrite }
    var file = pristine
    file.damage(kind, &random)
    let isOpen = use == .openReadThenWrite
    put(isOpen ? pristine.bytes : file.bytes, path)
    unlink(path + "-lock")
    if use == .copyWrite || use == .copyReadThenWrite {
      unlink(path + "-signal")
    } else {
      put(signal, path + "-signal")
    }
    return DamagedCase(
      path: path, file: isOpen ? file : nil, use: use, kind: kind, isExported: number % 4 == 0,
      isSalvaged: number % 4 == 1, checksFirst: number % 8 < 4)
  }

  /// Runs one case, and prints its failures.
  func run(_ seed: UInt64, _ number: Int, _ totals: inout DamageTotals) {
    let damaged = prepare(seed, number)
    progress.pointee = DamageCommands.Progress()
    var before = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &before)
    let status = Self.end { damaged.use(progress) }
    var after = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &after)
    let seconds = after.ru_utime.tv_sec - before.ru_utime.tv_sec
    let stage = DamageCommands.Progress.stages[Int(progress.pointee.stage)]
    totals.note("cases")
    totals.note("use-\(damaged.use)-cases")
    let name =
      "case \(number) seed \(seed) \(damaged.kind.map { "\($0)" } ?? "") \(damaged.use)"
    let label = "\(name) \(stage)"
    if progress.pointee.readMemory > 400 << 10 {
      totals.note("dear")
      say("dear \(name) read \(progress.pointee.readMemory >> 10) MB")
    } else if after.ru_maxrss > before.ru_maxrss, after.ru_maxrss > 400 << 10 {
      totals.note("dear")
      say("dear \(name) write \(after.ru_maxrss >> 10) MB")
    }
    if seconds > 4 { say("slow \(label) \(seconds) s") }
    guard status == 0 else {
      totals.note("crashes")
      totals.note("crash-\(damaged.use)-\(stage)")
      say("crash \(label) signal \(status & 0x7F)")
      return
    }
    judge(damaged, name, &totals)
    judgeTransfers(damaged, name, &totals)
    guard progress.pointee.isWritten != 0, progress.pointee.isSoundAfterwards == 0 else { return }
    if damaged.use.reads ? progress.pointee.isSound != 0 : isSound(seed, number) {
      totals.note("spoilt")
      say("spoilt \(name)")
    }
  }

  /// Checks the file of a case that does not read, before it is used.
  private func isSound(_ seed: UInt64, _ number: Int) -> Bool {
    let damaged = prepare(seed, number)
    progress.pointee = DamageCommands.Progress()
    return Self.end { damaged.check(progress) } == 0 && progress.pointee.isSound != 0
  }

  /// Judges what a process that ended has read and written.
  private func judge(_ damaged: DamagedCase, _ name: String, _ totals: inout DamageTotals) {
    let found = progress.pointee
    totals.note(found.isRefused != 0 ? "refused" : "accepted")
    if found.isWritten != 0 { totals.note("written") }
    if found.isUnsteady != 0 {
      totals.note("unsteady")
      say("unsteady \(name)")
    }
    guard damaged.use.reads, found.isSound != 0 else { return }
    totals.note("sound")
    // A damaged file may be found damaged only while it is read.
    guard found.isRefused == 0 else { return }
    var isOlder = false
    // The realms may have been opened with different versions.
    for realm in [\DamageCommands.Progress.live, \DamageCommands.Progress.frozen] {
      let digest = found[keyPath: realm]
      if digest == sound[keyPath: realm] { continue }
      if damaged.kind?.mayRestoreVersion == true, digest == older[keyPath: realm] {
        isOlder = true
      } else {
        totals.note("silent")
        return say("silent \(name)")
      }
    }
    if isOlder { totals.note("older version") }
  }
}

/// Writes a file in place, so that it keeps its identity.
private func put(_ bytes: [UInt8], _ path: String) {
  let descriptor = varve_open(path, O_RDWR | O_CREAT, 0o600)
  bytes.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  ftruncate(descriptor, off_t(bytes.count))
  close(descriptor)
}

/// A damaged file and its use.
struct DamagedCase {
  let path: String
  /// The new contents of the open file; nil when the file is damaged already.
  let file: DamagedFile?
  let use: DamageCommands.Use
  var kind: DamageKind?
  /// Whether a use that reads also exports the store, and salvages a file that is damaged before it
  /// is opened.
  let isExported: Bool
  let isSalvaged: Bool
  /// Whether a use that reads checks the store before the reads too: a check finds the damage first
  /// then.
  var checksFirst = true

  /// Checks the store.
  func check(_ progress: UnsafeMutablePointer<DamageCommands.Progress>) {
    let configuration = DamageStore.configuration(path)
    let report = try? Realm(configuration: configuration).check()
    progress.pointee.isSound = report?.isSound == true ? 1 : 0
    try? Realm.close(configuration)
  }

  /// Uses the store. Errors are expected; a crash or an endless loop is a failure.
  func use(_ progress: UnsafeMutablePointer<DamageCommands.Progress>) {
    let configuration = DamageStore.configuration(path)
    if use.checksPaths { Environment.largestWalkedFile.store(0, ordering: .relaxed) }
    if use.reads, isSalvaged, file == nil {
      progress.pointee.stage = 9
      salvage(progress)
    }
    do {
      progress.pointee.stage = 1
      let realm = try Realm(configuration: configuration)
      let frozen = realm.freeze()
      if let file {
        _ = realm.objects(Depot.self).first?.name
        put(file.bytes, path)
      }
      if use.reads {
        progress.pointee.stage = 4
        let isSoundFirst: Bool? = try checksFirst ? realm.check().isSound : nil
        read(realm, frozen, progress)
        progress.pointee.stage = 4
        let isSound = try realm.check().isSound
        progress.pointee.isSound = isSound ? 1 : 0
        progress.pointee.isUnsteady = isSoundFirst ?? isSound == isSound ? 0 : 1
        progress.pointee.stage = 10
        if isExported { export(realm, progress) }
      }
      progress.pointee.stage = 5
      for round in 0..<3 { try write(realm, round) }
      progress.pointee.stage = 6
      progress.pointee.isSoundAfterwards = try realm.check().isSound ? 1 : 0
      progress.pointee.stage = 5
      try write(realm, 3)
      progress.pointee.isWritten = 1
    } catch {
      progress.pointee.isRefused = 1
    }
    progress.pointee.stage = 7
    try? Realm.close(configuration)
    progress.pointee.stage = 8
  }

  private func read(
    _ realm: Realm, _ frozen: Realm, _ progress: UnsafeMutablePointer<DamageCommands.Progress>
  ) {
    // The live or the frozen realm finds the damage first.
    let isFrozenFirst = path.utf8.count % 2 == 0
    for isFrozen in [isFrozenFirst, !isFrozenFirst] {
      progress.pointee.stage = isFrozen ? 3 : 2
      var reading = DamageReading()
      reading.read(isFrozen ? frozen : realm)
      let digest = reading.digest
      if isFrozen { progress.pointee.frozen = digest } else { progress.pointee.live = digest }
    }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    progress.pointee.readMemory = usage.ru_maxrss
    do { try realm.refresh() } catch { progress.pointee.isRefused = 1 }
  }

  private func write(_ realm: Realm, _ round: Int) throws {
    try realm.write {
      switch round {
      case 0:
        for id in stride(from: 0, to: DamageStore.depotCount, by: 5) {
          DamageStore.change(realm, id, round)
        }
      case 1:
        for number in 0..<150 {
          realm.create(DepotEvent.self, value: ["number": 5000 + number])
          realm.create(DepotPart.self, value: ["key": "new \(number)", "weight": number])
        }
      case 2:
        realm.delete(realm.objects(DepotPart.self).where { $0.weight < 4 })
        realm.delete(realm.objects(Depot.self).where { $0.size > 8 })
      default: realm.deleteAll()
      }
    }
  }
}
