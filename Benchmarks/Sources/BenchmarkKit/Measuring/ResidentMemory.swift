import Foundation
import ProcessCalls

/// The peak resident memory of this process.
enum ResidentMemory {
  /// Resets the peak, if the system supports it (Linux), so that memory freed by earlier workloads
  /// is not included.
  ///
  /// - Returns: Whether the peak was reset. If not, ``peak()`` covers the time since the start of
  ///   the process.
  @discardableResult
  static func resetPeak() -> Bool {
    return_free_memory()
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return false }
    defer { try? file.close() }
    return (try? file.write(contentsOf: Data("5".utf8))) != nil
  }

  /// The peak in bytes.
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
