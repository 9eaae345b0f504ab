import Testing
import VarveTestSupport

/// Stores with all kinds of content, damaged at random, each used in its own process.
///
/// To run more cases, run this in the directory of the test products:
/// `VarveTestProcess damage PATH SEED FIRST COUNT`.
///
/// To run one case in the calling process, for example under a debugger:
/// `VarveTestProcess damageCase PATH SEED CASE`.
@Suite struct DamagedFileTests {
  @Test func readingDamagedFileDoesNotCrash() throws {
    let random = SeededRandom(default: 1)
    let store = try TemporaryRealm()
    defer { store.remove() }
    let process = TestProcess(
      ["damage", store.path, "\(random.seed % 1_000_000)", "0", "60"],
      environment: ["SWIFT_BACKTRACE=enable=no"])
    let lines = process.lines()
    process.wait()
    #expect(lines.last == "done", "\(random)")
    #expect(lines.contains("total cases 60"))
    // LMDB trusts the pages that a write touches in a file that the signal page knows. It may crash
    // the process in that write or when the store is closed.
    let trusted = ["knownReadThenWrite", "knownWrite", "openReadThenWrite"].flatMap {
      ["\($0) write", "\($0) close"]
    }
    let failures = lines.dropLast().filter { line in
      !line.hasPrefix("total") && !trusted.contains { line.contains($0) }
    }
    #expect(failures.isEmpty, "\(random)")
  }
}
