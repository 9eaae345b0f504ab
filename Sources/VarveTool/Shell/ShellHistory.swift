import Foundation

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

  /// Replaces the lines. Errors are ignored.
  func write(_ lines: [String]) {
    guard let url else { return }
    let text = lines.suffix(Self.maximumCount).map { $0 + "\n" }.joined()
    let directory = url.deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let temporary = directory.appendingPathComponent("history.\(getpid())")
    let isWritten = FileManager.default.createFile(
      atPath: temporary.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    if !isWritten || rename(temporary.path, url.path) != 0 { unlink(temporary.path) }
  }
}
