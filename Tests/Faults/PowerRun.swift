import Foundation
import VarveTestSupport

/// Records a process, and checks the stores that power failures would have left.
struct PowerRun {
  /// The number of processes, which run their transactions at the same time.
  var processes = 1
  /// The transactions of each process.
  var transactions = 40
  var options: [String] = []
  var sectorSize = 4096
  var imageLimit = 1000
  /// Variables of the recorded process.
  var environment: [String] = []
  /// Whether each image has a torn sector, if a sector was written.
  var tearsAlways = false
  /// A fault of the commit protocol, in the recorded process and in those that check the images.
  var mutant: String?
  /// The number of acknowledged transactions that may be lost.
  var tolerance = 0

  struct Report {
    var imageCount: Int
    var faultCount: Int
    var crashCount: Int
    var faults: [String]
    var seconds: Double
    var keptDirectory: String?
    var acknowledged: Int
    /// The number of synchronizations that failed as planned.
    var failedSyncCount: Int

    var imagesPerSecond: Int { Int(Double(imageCount) / max(seconds, 0.001)) }
  }

  /// Runs the process, without checking anything.
  ///
  /// - Parameters:
  ///   - directory: The directory for the store, and for the log next to it.
  ///   - seed: Determines the transactions.
  func record(_ directory: String, seed: Int) throws -> [FaultOperation] {
    let log = directory + "-log"
    let shared = processes > 1 ? ["shared"] : []
    let all = (0..<processes).map { number in
      TestProcess(
        ["faultWork", directory + "/store.varve", "\(seed + number)", "\(transactions)"] + options
          + shared,
        environment: ["VARVE_FAULT_DIRECTORY=\(directory)", "VARVE_FAULT_LOG=\(log)"]
          + ImageChecker.environment(mutant) + environment)
    }
    for process in all {
      let lines = process.lines()
      guard process.wait() == 0, lines.last == "done" else { throw NotRecorded(lines: lines) }
    }
    return try FaultLog.read(path: log)
  }

  /// - Parameter keepsFaults: Whether the files of the first fault are kept.
  func run(_ random: inout SeededRandom, keepsFaults: Bool = true) throws -> Report {
    var directory = try FaultDirectory()
    try directory.make("recorded")
    let recorded = directory.path + "/recorded"
    let operations = try record(recorded, seed: Int(random.seed % 1_000_000))
    let start = ContinuousClock.now
    var report = try check(operations, directory.path, recorded, &random)
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    if keepsFaults, report.faultCount > 0 { directory.isKept = true }
    return report
  }

  struct NotRecorded: Error {
    let lines: [String]
  }

  private func check(
    _ operations: [FaultOperation], _ directory: String, _ recorded: String,
    _ random: inout SeededRandom
  ) throws -> Report {
    var disk = PowerDisk(sectorSize: sectorSize)
    let pointCount = operations.count { disk.isPersistencePoint($0) }
    var checker = ImageChecker(mutant: mutant)
    var begun = 0
    var acknowledged = 0
    var copies: [Int] = []
    var point = 0
    var imageCount = 0
    for (index, operation) in operations.enumerated() {
      // Several processes may acknowledge in another order than they commit.
      if operation.kind == .begin { begun = max(begun, operation.offset) }
      if operation.kind == .acknowledge { acknowledged = max(acknowledged, operation.offset) }
      if operation.kind == .copied { copies.append(operation.offset) }
      if disk.isPersistencePoint(operation) {
        point += 1
        // What the points before have not used, the later ones may.
        let due = imageLimit * point / max(pointCount, 1) - imageCount
        let fragments = disk.fragments(during: operation)
        let cuts = PowerCut.choose(
          fragments, nameCount: disk.nameChanges.count,
          atMost: max(due, 1), tearsAlways: tearsAlways, &random)
        imageCount += cuts.count
        for (number, cut) in cuts.enumerated() {
          let image = "\(directory)/\(index)-\(number)"
          try FileManager.default.createDirectory(
            atPath: image, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
          PowerImage(
            disk: disk, fragments: fragments, cut: cut, source: recorded, store: "store.varve"
          ).write(to: image)
          checker.check(
            ImageChecker.Image(
              directory: image, store: "store.varve",
              range: max(acknowledged - tolerance, 0)...begun, isWriting: random.oneIn(8),
              copies: copies, label: "\(random) operation \(index) \(operation.kind) \(cut)"))
        }
      }
      disk.apply(operation, &random)
    }
    checker.finish()
    return Report(
      imageCount: checker.imageCount, faultCount: checker.faultCount,
      crashCount: checker.crashCount, faults: checker.faults, seconds: 0,
      keptDirectory: checker.keptDirectory, acknowledged: acknowledged,
      failedSyncCount: operations.count { $0.kind == .sync && $0.error != 0 })
  }
}
