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
    let whole = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let (status, text) = try Self.run(["strip", "--strip-debug", "-o", program.path, whole])
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

  /// Counts both numbers in one process, with deterministic hashing.
  private func counts(
    _ operation: Operation, _ count: Int
  ) throws -> (instructions: Int, allocations: Int) {
    let (status, text) = try Self.run([
      "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program.path, "run",
      operation.name, "\(count)",
    ])
    // ==123== Collected : 1234567
    guard status == 0,
      let line = text.split(separator: "\n").last(where: { $0.contains("Collected :") }),
      let instructions = line.split(separator: " ").last.flatMap({ Int($0) }),
      let answer = text.split(separator: "\n").last(where: { $0.hasPrefix(Self.answer) }),
      let allocations = Int(answer.dropFirst(Self.answer.count))
    else { throw MeasurementFailure("valgrind failed for \(operation.name):\n\(text)") }
    return (instructions, allocations)
  }

  /// The text in front of the number of allocations in the output of ``RunCommand``.
  static let answer = "allocations of the calling thread: "

  /// Runs a command of the system and returns its output.
  private static func run(_ command: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    // Makes the positions in hash tables the same each time.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
