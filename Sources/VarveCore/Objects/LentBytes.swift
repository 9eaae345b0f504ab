package import VarveEncoding
import VarveStorage

/// Bytes that a string or data has in one version or in a write, or a range of them, in parts that
/// follow each other.
///
/// Thread safety: immutable.
package struct LentBytes: @unchecked Sendable {
  // Safe because nobody changes the memory of the parts: the owner is the version whose pages they
  // are, or a copy of them. The one exception are the pages of a store that was closed after a
  // commit that could not be finished: they stay mapped, and are overwritten with zeros when the
  // file is opened again.

  /// The bytes, or the first part of them. They are valid as long as the owner is retained.
  package let first: UnsafeRawBufferPointer
  /// The other parts.
  package let others: [UnsafeRawBufferPointer]
  /// Retains the memory of the parts.
  package let owner: AnyObject?
  /// The version that contains the bytes; nil for a copy.
  var snapshot: Snapshot? { owner as? Snapshot }
  /// The number of bytes of the whole value.
  package let valueCount: Int

  init(
    _ first: UnsafeRawBufferPointer, _ others: [UnsafeRawBufferPointer] = [], of owner: AnyObject?,
    valueCount: Int
  ) {
    self.first = first
    self.others = others
    self.owner = owner
    self.valueCount = valueCount
  }

  /// Makes a copy of a range of bytes.
  ///
  /// - Parameter range: It is clamped to the bytes.
  init(copying bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    let part = bytes[range.clamped(to: 0..<bytes.count)]
    self.init(count: part.count, valueCount: bytes.count) { target in
      UnsafeMutableRawBufferPointer(start: target, count: part.count).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: part))
    }
  }

  /// The number of bytes of all parts.
  var byteCount: Int { others.reduce(first.count) { $0 + $1.count } }

  /// A copy of the bytes in one part.
  var copied: LentBytes {
    LentBytes(count: byteCount, valueCount: valueCount) { target in
      var end = target
      for part in [first] + others {
        UnsafeMutableRawBufferPointer(start: end, count: part.count).copyMemory(from: part)
        end += part.count
      }
      withExtendedLifetime(owner) {}
    }
  }

  /// Makes a copy of bytes.
  ///
  /// - Parameter fill: Writes the bytes to memory with room for them.
  fileprivate init<Failure: Error>(
    count: Int, valueCount: Int, _ fill: (UnsafeMutableRawPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard count > 0 else {
      self.init(UnsafeRawBufferPointer(start: nil, count: 0), of: nil, valueCount: valueCount)
      return
    }
    let copy = ManagedBuffer<Void, UInt8>.create(minimumCapacity: count) { _ in }
    // Safe because the elements stay where they are as long as the buffer exists.
    let start = copy.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
    try fill(start)
    self.init(
      UnsafeRawBufferPointer(start: start, count: count), of: copy, valueCount: valueCount)
  }

  /// Makes a copy of a range of a constant; nil for null.
  ///
  /// - Parameter range: It is clamped to the bytes.
  static func copy(of constant: Value, in range: Range<Int>) throws(Failure) -> LentBytes? {
    guard constant != .null else { return nil }
    return try constant.withWholeKey { (bytes) throws(Failure) in
      LentBytes(copying: bytes, in: range)
    }
  }
}

extension TableReader {
  /// Copies a range of the bytes of a string or of data.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, or their blob, in this reader.
  ///   - range: It is clamped to the bytes.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(bytes) of the range, and one search for each chunk.
  func copy(_ bytes: VariableBytes, in range: Range<Int>) throws(Failure) -> LentBytes {
    switch bytes {
    case .inline(let bytes): return LentBytes(copying: bytes, in: range)
    case .blob(let blob):
      let range = range.clamped(to: 0..<Int(blob.byteCount))
      return try copy(blob, in: range, from: try firstPart(of: blob, in: range))
    }
  }

  fileprivate func copy(
    _ blob: BlobReference, in range: Range<Int>, from first: UnsafeRawBufferPointer
  ) throws(Failure) -> LentBytes {
    try LentBytes(count: range.count, valueCount: Int(blob.byteCount)) { (target) throws(Failure) in
      try copyBytes(of: blob, in: range, from: first, to: target)
    }
  }
}

extension Snapshot {
  /// Lends a range of the bytes of a string or of data, and retains this version. All chunks of the
  /// range are looked up.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, or their blob, in this version.
  ///   - range: It is clamped to the bytes.
  ///   - isJoined: Whether bytes in several chunks are copied into one part.
  /// - Throws: `.corrupted`.
  /// - Complexity: one search for each chunk of the range, and O(bytes) if several are joined.
  @inline(__always)
  func lend(
    _ bytes: VariableBytes, in range: Range<Int>, isJoined: Bool
  ) throws(Failure) -> LentBytes {
    switch bytes {
    case .inline(let bytes):
      let part = bytes[range.clamped(to: 0..<bytes.count)]
      return LentBytes(
        UnsafeRawBufferPointer(rebasing: part), of: self, valueCount: bytes.count)
    case .blob(let blob):
      let range = range.clamped(to: 0..<Int(blob.byteCount))
      let first = try firstPart(of: blob, in: range)
      if first.count < range.count {
        if isJoined { return try copy(blob, in: range, from: first) }
        let others = try parts(of: blob, in: range, after: first)
        return LentBytes(first, others, of: self, valueCount: Int(blob.byteCount))
      }
      return LentBytes(first, of: self, valueCount: Int(blob.byteCount))
    }
  }
}
