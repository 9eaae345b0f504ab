import Foundation
import ProcessCalls

/// The most memory that this process has had resident.
enum ResidentMemory {
  /// Begins a new count, where the system can (Linux). What earlier workloads have freed does not count.
  ///
  /// - Returns: Whether it could; if not, ``peak()`` goes back to the start of the process.
  @discardableResult
  static func resetPeak() -> Bool {
    return_free_memory()
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return false }
    defer { try? file.close() }
    return (try? file.write(contentsOf: Data("5".utf8))) != nil
  }

  /// In bytes.
  static func peak() -> Int {
    if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let kibibytes = kibibytes(of: "VmHWM:", in: status)
    {
      return kibibytes * 1024
    }
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      getrusage(RUSAGE_SELF.rawValue, &usage)
      return usage.ru_maxrss * 1024
    #endif
  }

  static func kibibytes(of field: String, in status: String) -> Int? {
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field) }) else {
      return nil
    }
    return line.split { $0.isWhitespace }.dropFirst().first.flatMap { Int($0) }
  }
}
