import ArgumentParser
import BenchmarkKit
import Foundation

/// The file of results, and the printed output of the same results.
struct ResultFile {
  private let path: String?
  private let run: RecordedRun

  /// Creates the file and its directory if they are missing.
  ///
  /// - Throws: `ValidationError` when the file cannot be written, before anything is measured.
  init(path: String?, run: RecordedRun) throws {
    self.path = path
    self.run = run
    guard let path else { return }
    do {
      if !FileManager.default.fileExists(atPath: path) {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path))
      }
      try FileHandle(forWritingTo: URL(fileURLWithPath: path)).close()
    } catch {
      throw ValidationError("--json: “\(path)” cannot be written.")
    }
  }

  /// Appends a result or a refusal.
  func append(_ content: some Encodable) throws {
    guard let path else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: encoder.encode(RecordedLine(content, of: run)) + Data("\n".utf8))
  }

  /// Prints a line without buffering, also into a pipe.
  ///
  /// - Throws: `ExitCode` when the reading end of the pipe is closed.
  static func tell(_ line: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    } catch {
      throw ExitCode.failure
    }
  }

  static let title = row(
    "engine", "workload", "n", "seconds", "min", "max", "ns/op", "MB disk", "MB peak", "scaling",
    "p95 µs", "p99 µs")

  static func line(_ result: WorkloadResult) -> String {
    // For latencies, the seconds are those of one operation.
    let operations = result.percentile95 == nil ? Double(result.n) : 1
    return row(
      result.engine, result.workload, String(result.n),
      decimal(result.seconds, 6), decimal(result.minimumSeconds, 6),
      decimal(result.maximumSeconds, 6),
      operations > 0 ? decimal(result.seconds * 1e9 / operations, 1) : "",
      decimal(Double(result.bytesOnDisk) / 1e6, 1),
      decimal(Double(result.peakResidentBytes) / 1e6, 1),
      result.scaling.map { decimal($0, 2) } ?? "",
      result.percentile95.map { decimal($0 * 1e6, 1) } ?? "",
      result.percentile99.map { decimal($0 * 1e6, 1) } ?? "")
  }

  static func line(_ refusal: WorkloadRefusal) -> String {
    let reason =
      refusal.notOffered.map { "not offered: \($0)" } ?? "FAILED: \(refusal.failure ?? "")"
    return "\(refusal.engine) \(refusal.workload): \(reason)"
  }

  private static func row(_ cells: String...) -> String {
    cells.enumerated().map { index, cell in
      let space = String(repeating: " ", count: max(0, 10 - cell.count))
      return index < 2 ? cell + space : space + cell
    }.joined(separator: " ")
  }

  private static func decimal(_ number: Double, _ digits: Int) -> String {
    number.formatted(.number.precision(.fractionLength(digits)).grouping(.never))
  }
}
