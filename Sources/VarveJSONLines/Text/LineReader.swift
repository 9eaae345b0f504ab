import Foundation

/// Cuts what comes in blocks into lines, in memory for one line and one block.
struct LineReader {
  private let source: () throws -> Data?
  private var pending: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  /// The number of the line that was given last, from 1 on.
  private(set) var number = 0

  /// - Parameter source: gives the next block; nil, or an empty one, at the end.
  init(_ source: @escaping () throws -> Data?) { self.source = source }

  /// The next line, without its end; nil after the last one.
  ///
  /// - Throws: what the source throws.
  mutating func next() throws -> [UInt8]? {
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
    // What some editors begin a text with.
    if number == 1, pending[range].starts(with: [0xEF, 0xBB, 0xBF]) {
      return Array(pending[range].dropFirst(3))
    }
    return Array(pending[range])
  }

  private func end(from place: Int) -> Int? {
    pending.withUnsafeBytes { bytes in
      guard place < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + place, 0x0A, bytes.count - place)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
