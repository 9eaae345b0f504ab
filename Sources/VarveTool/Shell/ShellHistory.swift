import Foundation
import VarveCore

/// The file with the lines of earlier shells, which only its owner can read.
struct ShellHistory {
  /// The number of lines that are kept.
  static let maximumCount = 1000

  private let url: URL?

  /// The history of the user, in `$XDG_STATE_HOME/varve/history`, by default in `~/.local/state`.
  /// Without a home directory nothing is kept.
  static var standard: ShellHistory {
    let environment = ProcessInfo.processInfo.environment
    let state =
      environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].map { $0 + "/.local/state" }
    return ShellHistory(state.map { URL(fileURLWithPath: $0 + "/varve/history") })
  }

  init(_ url: URL?) { self.url = url }

  /// Returns the lines, the oldest first.
  func read() -> [String] {
    guard let url, let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").suffix(Self.maximumCount).map(String.init)
  }

  /// Appends a line, and drops the oldest ones if there are twice as many as are kept. Errors are
  /// ignored.
  func append(_ line: String) {
    guard let url else { return }
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let file = open(url.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    // Lines of several shells are not mixed.
    let bytes = Array((line.printable + "\n").utf8)
    _ = Foundation.write(file, bytes, bytes.count)
    close(file)
    trim(url)
  }

  private func trim(_ url: URL) {
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return }
    let lines = text.utf8.split(separator: 0x0A)
    guard lines.count > 2 * Self.maximumCount else { return }
    let kept = lines.suffix(Self.maximumCount).map { String($0) ?? "" }
    let temporary = url.path + ".\(getpid())"
    let isWritten = FileManager.default.createFile(
      atPath: temporary, contents: Data((kept.joined(separator: "\n") + "\n").utf8),
      attributes: [.posixPermissions: 0o600])
    if !isWritten || rename(temporary, url.path) != 0 { unlink(temporary) }
  }
}
