import AllocationCounter
import Foundation

/// The cost of one operation.
struct Cost: Codable, Equatable {
  /// The number of instructions, counted by callgrind.
  var instructions: Double

  /// The number of calls of the allocator by the calling thread.
  var allocations: Double
}

/// Measures the cost of operations.
struct Measurement: ~Copyable {
  /// This program without debug information: valgrind 3.19 fails on the DWARF 5 of Swift.
  private let program: URL

  init() throws {
    program = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-operations-\(UUID().uuidString)")
    let (status, text) = try OwnProgram.runCommand(
      ["strip", "--strip-debug", "-o", program.path, OwnProgram.path])
    guard status == 0 else { throw MeasurementFailure("strip failed:\n\(text)") }
  }

  deinit { try? FileManager.default.removeItem(at: program) }

  /// Runs this program under callgrind with a number of operations and with twice as many. The
  /// difference is the cost of the operations, without opening and filling the store.
  func cost(of operation: Operation) throws -> Cost {
    let once = try counts(operation, operation.count)
    let twice = try counts(operation, 2 * operation.count)
    let count = Double(operation.count)
    return Cost(
      instructions: Double(twice.instructions - once.instructions) / count,
      allocations: max(0, Double(twice.allocations - once.allocations) / count))
  }

  /// The work of ``RunCommand``: runs an operation, and returns the number of allocator calls of
  /// this thread.
  static func countAllocations(_ operation: Operation, _ count: Int) throws -> Int {
    let store = try OperationStore()
    let before = allocation_count()
    let answer = try operation.run(store, count)
    let allocations = Int(allocation_count() - before)
    guard answer != 0 else { throw MeasurementFailure("\(operation.name) read nothing") }
    try store.remove()
    return allocations
  }

  /// The positions in hash tables are the same each time, and the large blocks of LMDB are those of
  /// the kernel: whether the C library clears them would depend on what was freed before.
  private static let environment = [
    "SWIFT_DETERMINISTIC_HASHING": "1", "MALLOC_MMAP_THRESHOLD_": "65536",
  ]

  /// Counts both numbers in one process.
  private func counts(
    _ operation: Operation, _ count: Int
  ) throws -> (instructions: Int, allocations: Int) {
    let (status, text) = try OwnProgram.runCommand(
      [
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program.path, "run",
        operation.name, "\(count)",
      ], Self.environment)
    // ==123== Collected : 1234567
    guard status == 0,
      let line = text.split(separator: "\n").last(where: { $0.contains("Collected :") }),
      let instructions = line.split(separator: " ").last.flatMap({ Int($0) }),
      let allocations = OwnProgram.number(after: Self.answer, in: text)
    else { throw MeasurementFailure("valgrind failed for \(operation.name):\n\(text)") }
    return (instructions, allocations)
  }

  /// The text in front of the number of allocations in the output of ``RunCommand``.
  static let answer = "allocations of the calling thread: "
}
