import Foundation

/// The standard output of a command that prints rows.
///
/// Thread safety: use it from one thread.
final class StandardOutput {
  /// The reader of the output has closed it.
  private struct Closed: Error {}

  let terminal = Terminal.standard
  private let endsWhenClosed: Bool
  private var pending: [UInt8] = []
  private static let blockSize = 1 << 16

  private init(endsWhenClosed: Bool) { self.endsWhenClosed = endsWhenClosed }

  /// Runs the work of a command that writes to the output, and writes what is left at its end. A
  /// closed pipe is not an error.
  ///
  /// - Parameters:
  ///   - endsWhenClosed: Whether a closed pipe ends the work; otherwise the rest of the output is
  ///     dropped.
  ///   - work: A closure that writes to the output.
  /// - Throws: ``ToolError`` when a write fails, for example on a full disk; any error thrown by
  ///   `work`, after what was written before.
  static func printing(
    endsWhenClosed: Bool = true, _ work: (StandardOutput) throws -> Void
  ) throws {
    let output = StandardOutput(endsWhenClosed: endsWhenClosed)
    do {
      do {
        try work(output)
      } catch {
        if !(error is Closed) { try? output.flush() }
        throw error
      }
      try output.flush()
    } catch is Closed {
      // Nobody reads the rest.
    }
  }

  /// Writes bytes, at the latest when the output ends.
  func write(_ bytes: some Sequence<UInt8>) throws {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.blockSize { try flush() }
  }

  /// Writes a line.
  func line(_ text: String) throws {
    try write(text.utf8)
    try write(CollectionOfOne(UInt8(ascii: "\n")))
  }

  /// Writes the pending bytes.
  func flush() throws {
    guard !pending.isEmpty else { return }
    defer { pending.removeAll(keepingCapacity: true) }
    if try !terminal.write(pending), endsWhenClosed { throw Closed() }
  }
}
