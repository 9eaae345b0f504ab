import CTestFaults
import Foundation
import Glibc
import Testing
import VarveTestSupport

/// Every file operation in the life of a store fails once, or from then on.
@Suite(.enabled(if: fault_is_supported() != 0)) struct FailingCallTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: fault_kind
    let action: fault_action
    let error: Int32
    let isPermanent: Bool

    /// Whether some operation of the store must throw.
    var isThrown: Bool {
      isPermanent && action == fault_fail && (kind == fault_write || kind == fault_sync)
    }

    init(
      _ description: String, _ kind: fault_kind, _ action: fault_action, _ error: Int32 = 0,
      always: Bool = false
    ) {
      testDescription = description
      self.kind = kind
      self.action = action
      self.error = error
      isPermanent = always
    }
  }

  static let kinds: [(fault_kind, String)] = [
    (fault_open, "open"), (fault_write, "write"), (fault_sync, "sync"),
    (fault_truncate, "truncate"), (fault_allocate, "allocate"), (fault_rename, "rename"),
    (fault_unlink, "unlink"), (fault_map, "map"), (fault_map_sync, "mapSync"),
  ]

  static let failing: [Case] =
    kinds.flatMap { kind, name in
      [
        Case("\(name) EIO", kind, fault_fail, EIO),
        Case("\(name) ENOSPC", kind, fault_fail, ENOSPC),
        Case("\(name) EINTR", kind, fault_fail, EINTR),
        Case("\(name) EIO always", kind, fault_fail, EIO, always: true),
        Case("\(name) ENOSPC always", kind, fault_fail, ENOSPC, always: true),
      ]
    } + [
      Case("write short", fault_write, fault_short),
      Case("write short always", fault_write, fault_short, always: true),
      Case("map ENOMEM", fault_map, fault_fail, ENOMEM),
    ]

  static let killed: [Case] =
    kinds.flatMap { kind, name in
      [
        Case("kill before \(name)", kind, fault_kill_before),
        Case("kill after \(name)", kind, fault_kill_after),
      ]
    } + [Case("kill within write", fault_write, fault_kill_within)]

  private func run(_ test: Case) throws {
    let directory = try FaultDirectory()
    var random = SeededRandom()
    let seed = random.below(1_000_000)
    // A short round tests some of the calls, others each time.
    let step = max(1, 3 / FaultDirectory.rounds)
    let process = TestProcess(
      [
        "failingCalls", directory.path, "\(seed)", "\(test.action.rawValue)",
        "\(test.kind.rawValue)", "\(test.error)", test.isPermanent ? "1" : "0",
        "\(random.int(1...step))", "\(step)", FaultDirectory.rounds == 1 ? "4" : "42",
      ], environment: ["SWIFT_BACKTRACE=enable=no"])
    let lines = process.lines()
    #expect(process.wait() == 0)
    #expect(lines.last?.hasPrefix("done") == true)
    let faults = lines.filter { $0.hasPrefix("fault") }
    print("\(test.testDescription): \(lines.last ?? ""), \(random)")
    #expect(faults.isEmpty, "\(random): \(faults.prefix(10).joined(separator: "\n"))")
    let counts = lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
    try #require(counts.count == 2)
    #expect(counts[0] > 0, "No operation failed.")
    if test.isThrown { #expect(counts[1] > 0, "No error was thrown.") }
  }

  @Test(arguments: failing) func failedCallLosesNothing(_ test: Case) throws { try run(test) }

  @Test(arguments: killed) func killLosesNothing(_ test: Case) throws { try run(test) }
}
