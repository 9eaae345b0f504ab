import Testing
import VarveTestSupport

/// Stores with all kinds of content, damaged at random. Each is read in every way, checked and
/// written in its own process. Some are also exported or salvaged.
///
/// Failures are a crash, an endless loop, memory without bound, a wrong value of a store that
/// the check finds valid, in the store or in its export, a check whose result changes by reads, a
/// write that spoils a valid store, and a salvage that is called complete and lacks objects. Damaged
/// meta pages that make the version before the newest one are only counted: that version must then be
/// read.
///
/// To run more cases, run this in the directory of the test products:
/// `VarveTestProcess damage PATH SEED FIRST COUNT`.
///
/// To run one case in the calling process, for example under a debugger:
/// `VarveTestProcess damageCase PATH SEED CASE`.
@Suite struct DamageTests {
  /// The number of damaged files that each of two processes uses.
  private static let count = FaultDirectory.rounds == 1 ? 80 : 1200 * FaultDirectory.rounds

  @Test func damagedFilesAreUsedSafely() throws {
    let random = SeededRandom()
    let directory = try FaultDirectory()
    let processes = try (0..<2).map { number in
      try directory.make("\(number)")
      return TestProcess(
        [
          "damage", "\(directory.path)/\(number)/store.varve", "\(random.seed % 1_000_000)",
          "\(number * Self.count)", "\(Self.count)",
        ],
        environment: ["SWIFT_BACKTRACE=enable=no"])
    }
    for process in processes {
      let lines = process.lines()
      process.wait()
      print("damage: " + lines.filter { $0.hasPrefix("total") }.joined(separator: ", "))
      #expect(lines.last == "done", "\(random)")
      #expect(lines.contains("total cases \(Self.count)"))
      let failures = lines.dropLast().filter { !$0.hasPrefix("total") }
      #expect(failures.isEmpty, "\(random)")
    }
  }
}
