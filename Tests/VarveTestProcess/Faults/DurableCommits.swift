import CTestFaults
import Glibc
import VarveStorage

/// Durable commits of which one is killed, or one of whose calls fails.
enum DurableCommits {
  /// Commits `before`, waits for the test, and commits `after` with a plan that counts from there:
  /// `commitDurably PATH KIND NUMBER ACTION ERRNO`. Prints the outcome, and waits again.
  static func run(_ path: String, _ words: [String]) throws {
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == 4 else { exit(2) }
    var options = EnvironmentOptions(path: path)
    options.mapSize = 64 << 20
    let environment = try Environment.open(options)
    _ = try write(environment) { try put($0, "before", [1]) }
    say("ready")
    waitForTest()
    fault_arm(
      fault_plan(
        kind: Int32(numbers[0]), action: Int32(numbers[2]), number: Int64(numbers[1]),
        error: Int32(numbers[3]), is_permanent: 0))
    say(outcome { _ = try write(environment) { try put($0, "after", [1]) } })
    fault_arm(fault_plan())
    waitForTest()
    say(outcome { _ = try write(environment) { try put($0, "later", [1]) } })
    waitForTest()
    try environment.close()
    say("closed")
  }

  /// Shares the lock on the first byte of the lock file, as every user of LMDB does, until the test
  /// continues.
  static func shareLockFile(_ path: String) {
    let descriptor = open(path + "-lock", O_RDWR)
    var lock = flock()
    lock.l_type = Int16(F_RDLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_len = 1
    say(fcntl(descriptor, F_SETLK, &lock) == 0 ? "shared" : "not shared")
    waitForTest()
    close(descriptor)
  }
}
