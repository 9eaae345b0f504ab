import Foundation
import Glibc
import VarveTestSupport

/// Has stores checked by other processes, which are started again when a check crashes them.
///
/// The next images are written while the processes check the previous ones.
struct ImageChecker: ~Copyable {
  /// A store to check.
  struct Image {
    let directory: String
    let store: String
    let range: ClosedRange<Int>
    let isWriting: Bool
    /// The transactions whose copies were acknowledged.
    let copies: [Int]
    let label: String

    var line: String {
      let words = [range.lowerBound, range.upperBound, isWriting ? 1 : 0] + copies
      return "\(directory)/\(store) " + words.map { "\($0)" }.joined(separator: " ")
    }
  }

  /// A process, and the images that it has not answered, in their order.
  private struct Lane {
    var process: TestProcess
    var waiting: [Image] = []
  }

  private(set) var imageCount = 0
  private(set) var crashCount = 0
  private(set) var faultCount = 0
  /// The first faults.
  private(set) var faults: [String] = []
  /// The directory of the first fault, which is not removed.
  private(set) var keptDirectory: String?
  private var lanes: [Lane]
  private var next = 0
  /// A fault of the commit protocol in the processes.
  private let mutant: String?

  init(mutant: String? = nil) {
    self.mutant = mutant
    lanes = (0..<min(2, ProcessInfo.processInfo.activeProcessorCount)).map { _ in
      Lane(process: Self.start(mutant))
    }
  }

  private static func start(_ mutant: String?) -> TestProcess {
    TestProcess(
      ["faultCheckMany", "-"], environment: ["SWIFT_BACKTRACE=enable=no"] + environment(mutant))
  }

  /// The variables of a process with a fault of the commit protocol.
  static func environment(_ mutant: String?) -> [String] {
    mutant.map { ["VARVE_COMMIT_MUTANT=\($0)"] } ?? []
  }

  mutating func check(_ image: Image) {
    next = (next + 1) % lanes.count
    lanes[next].waiting.append(image)
    lanes[next].process.send(image.line)
    while lanes[next].waiting.count > 4 { receive(next) }
  }

  /// Waits for all checks.
  mutating func finish() {
    for lane in lanes.indices {
      while !lanes[lane].waiting.isEmpty { receive(lane) }
    }
  }

  private mutating func receive(_ lane: Int) {
    let line = lanes[lane].process.line()
    let image = lanes[lane].waiting.removeFirst()
    imageCount += 1
    if let line {
      if !line.hasPrefix("ok") { note(image, line) }
    } else {
      crashCount += 1
      note(image, "the check ended with status \(lanes[lane].process.wait())")
      lanes[lane].process = Self.start(mutant)
      for image in lanes[lane].waiting { lanes[lane].process.send(image.line) }
    }
    if keptDirectory != image.directory {
      try? FileManager.default.removeItem(atPath: image.directory)
    }
  }

  private mutating func note(_ image: Image, _ fault: String) {
    faultCount += 1
    if keptDirectory == nil { keptDirectory = image.directory }
    if faults.count < 5 { faults.append("\(image.label): \(fault)") }
  }
}
