import CTestFaults
import Glibc
import Testing
import VarveTestSupport

/// Lives of a store with too little space, at many sizes: no acknowledged commit is lost, every
/// error is a `Realm.Error`, and the store works when there is room again.
@Suite(.enabled(if: fault_is_supported() != 0)) struct FullDiskTests {
  /// The sizes in which a store is not created, and those in which it is.
  static let ranges = [1...131_072, 131_073...1_000_000]

  @Test(arguments: ranges) func fileSizeLimitLosesNothing(_ sizes: ClosedRange<Int>) throws {
    try run("file", sizes)
  }

  /// Disabled if the user cannot mount a disk.
  @Test(.enabled(if: canMount), arguments: ranges)
  func fullDiskLosesNothing(_ sizes: ClosedRange<Int>) throws {
    try run("disk", sizes, launcher: Self.launcher)
  }

  private static let launcher = ["unshare", "--mount"]

  private static let canMount: Bool = {
    guard geteuid() == 0 else { return false }
    var child: pid_t = 0
    let command = launcher + ["sh", "-c", "mount -t tmpfs none /mnt"]
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    guard posix_spawnp(&child, command[0], nil, nil, &words, environ) == 0 else { return false }
    var status: Int32 = 0
    return waitpid(child, &status, 0) == child && status == 0
  }()

  private func run(
    _ kind: String, _ sizes: ClosedRange<Int>, launcher: [String] = []
  ) throws {
    let directory = try FaultDirectory()
    var random = SeededRandom()
    let step = sizes.count / (32 * FaultDirectory.rounds)
    let first = sizes.lowerBound + random.below(step)
    let process = TestProcess(
      [
        "fullDisks", directory.path, "\(random.below(1_000_000))", kind, "\(first)", "\(step)",
        "\(sizes.upperBound)", FaultDirectory.rounds == 1 ? "4" : "42",
      ], launcher: launcher, environment: ["SWIFT_BACKTRACE=enable=no"])
    let lines = process.lines()
    #expect(process.wait() == 0)
    let faults = lines.filter { $0.hasPrefix("fault") }
    print("\(kind) \(sizes): \(lines.last ?? ""), \(random)")
    #expect(faults.isEmpty, "\(random): \(faults.prefix(10).joined(separator: "\n"))")
    // The small sizes do not suffice for a store, and the large ones for some commits at least.
    let counts = (lines.last ?? "").split(separator: " ").compactMap { Int($0) }
    try #require(counts.count == 3)
    #expect(counts[0] >= 32, "\(random)")
    #expect(counts[sizes.lowerBound == 1 ? 1 : 2] > 0, "\(random)")
  }
}
