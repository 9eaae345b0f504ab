import VarveEncoding
package import VarveStorage

extension IndexRange {
  /// Calls a closure with the ids of objects in index order: by value, and for equal values by id.
  ///
  /// In descending order, objects of equal values still ascend by id. Values with truncated keys
  /// are sorted by their complete bytes.
  ///
  /// - Parameters:
  ///   - reader: A snapshot or the running write transaction. The closure must not modify it.
  ///   - ascending: The direction of the values.
  ///   - body: Returns whether to continue.
  /// - Throws: Any error of the closure, and `.corrupted` for a damaged entry.
  /// - Complexity: O(visited entries). All entries of a group of truncated keys are visited before
  ///   the first one is returned.
  package func walk(
    _ reader: any TableReader, ascending: Bool = true,
    _ body: (UInt64) throws(Failure) -> Bool
  ) throws(Failure) {
    for index in spans.indices {
      let span = spans[ascending ? index : spans.count - 1 - index]
      let isContinued =
        ascending
        ? try walkForward(span, reader, body) : try walkBackward(span, reader, body)
      if !isContinued { return }
    }
  }

  private func walkForward(
    _ span: IndexSpan, _ reader: any TableReader, _ body: (UInt64) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    var cursor = span.cursor(reader)
    var group = CutGroup()
    while cursor.advance() {
      let key = cursor.key
      if !group.isEmpty, !group.contains(key) {
        guard try group.finish(ascending: true, body) else { return false }
      }
      if index.isCut(key) {
        let bytes = index.wholeBytes(key, cursor.value)
        if span.accepts(bytes) {
          group.append(key, bytes, try index.objectID(key, cursor.value))
        }
      } else {
        guard try body(try index.objectID(key, cursor.value)) else { return false }
      }
    }
    return try group.finish(ascending: true, body)
  }

  private func walkBackward(
    _ span: IndexSpan, _ reader: any TableReader, _ body: (UInt64) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    var cursor = span.cursor(reader, isForward: false)
    var group = CutGroup()
    // The objects of one value in reverse order, and the prefix of their keys.
    var run: [UInt64] = []
    var runKey = UnsafeRawBufferPointer(start: nil, count: 0)
    while cursor.advance() {
      let key = cursor.key
      if !group.isEmpty, !group.contains(key) {
        guard try group.finish(ascending: false, body) else { return false }
      }
      let isCut = index.isCut(key)
      if !run.isEmpty, isCut || !ByteOrder.areEqual(runKey, index.valuePart(key, cursor.value)) {
        guard try Self.finish(&run, body) else { return false }
      }
      let id = try index.objectID(key, cursor.value)
      if isCut {
        let bytes = index.wholeBytes(key, cursor.value)
        if span.accepts(bytes) { group.append(key, bytes, id) }
        continue
      }
      run.append(id)
      runKey = index.valuePart(key, cursor.value)
      if run.count == Self.longestRun {
        // Many objects have the value: visit them in forward order instead.
        run.removeAll(keepingCapacity: true)
        let value = OrderedKey(runKey)
        let all = IndexSpan(lower: value, upper: value.afterAllWithPrefix())
        guard try walkForward(all, reader, body) else { return false }
        cursor = IndexSpan(lower: span.lower, upper: value).cursor(reader, isForward: false)
      }
    }
    guard try Self.finish(&run, body) else { return false }
    return try group.finish(ascending: false, body)
  }

  private static let longestRun = 64

  private static func finish(
    _ run: inout [UInt64], _ body: (UInt64) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    for id in run.reversed() {
      guard try body(id) else { return false }
    }
    run.removeAll(keepingCapacity: true)
    return true
  }
}

/// A group of entries with truncated keys of the same prefix, which are sorted by their complete
/// bytes.
///
/// Thread safety: not thread-safe; the bytes belong to the reader.
private struct CutGroup {
  private var entries: [(bytes: UnsafeRawBufferPointer, id: UInt64)] = []
  private var start = UnsafeRawBufferPointer(start: nil, count: 0)

  var isEmpty: Bool { entries.isEmpty }

  /// Whether a key belongs to the group.
  func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    ByteOrder.hasPrefix(key, start)
  }

  mutating func append(_ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ id: UInt64)
  {
    let border = IndexKey.valueStart + OrderedKey.maximumValueBytes
    start = UnsafeRawBufferPointer(rebasing: key.prefix(border + 1))
    entries.append((bytes, id))
  }

  /// Passes the objects to a closure in order, and empties the group.
  mutating func finish(
    ascending: Bool, _ body: (UInt64) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard !entries.isEmpty else { return true }
    entries.sort { first, second in
      let order = ByteOrder.compare(first.bytes, second.bytes)
      return order == 0 ? first.id < second.id : (order < 0) == ascending
    }
    for entry in entries {
      guard try body(entry.id) else { return false }
    }
    entries.removeAll()
    return true
  }
}
