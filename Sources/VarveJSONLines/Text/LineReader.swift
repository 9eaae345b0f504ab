package import Foundation

/// Splits blocks of bytes into lines, in memory for one line and one block.
package struct LineReader {
  private let source: () throws -> Data?
  private var pending: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  /// The number of the line returned last, starting at 1.
  package private(set) var number = 0

  /// - Parameter source: A closure that returns the next block; nil or an empty block at the end.
  package init(_ source: @escaping () throws -> Data?) { self.source = source }

  /// Returns the next line without its line feed, or nil after the last line.
  ///
  /// - Throws: Any error thrown by the source.
  package mutating func next() throws -> [UInt8]? {
    var searched = start
    while true {
      if let end = end(from: searched) {
        defer { start = end + 1 }
        return line(start..<end)
      }
      searched = pending.count
      if isAtEnd {
        guard start < pending.count else { return nil }
        defer { start = pending.count }
        return line(start..<pending.count)
      }
      searched -= start
      pending.removeSubrange(..<start)
      start = 0
      if let block = try source(), !block.isEmpty {
        pending.append(contentsOf: block)
      } else {
        isAtEnd = true
      }
    }
  }

  private mutating func line(_ range: Range<Int>) -> [UInt8] {
    number += 1
    // The byte order mark that some editors write.
    if number == 1, pending[range].starts(with: [0xEF, 0xBB, 0xBF]) {
      return Array(pending[range].dropFirst(3))
    }
    return Array(pending[range])
  }

  private func end(from index: Int) -> Int? {
    pending.withUnsafeBytes { bytes in
      guard index < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + index, 0x0A, bytes.count - index)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
