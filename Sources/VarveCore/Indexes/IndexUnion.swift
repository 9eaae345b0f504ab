package import VarveEncoding
package import VarveStorage

/// The objects of several ranges of one index, such as the values of an `IN` comparison.
///
/// The ranges are visited in key order with one cursor that only moves forward.
package struct IndexUnion: Sendable {
  package let index: PropertyIndex
  /// The spans, sorted by lower bound.
  private let spans: [IndexSpan]
  /// Whether the spans are disjoint.
  private let isDisjoint: Bool

  /// Creates a union of the entries whose values equal one of several constants. See
  /// ``IndexRange/equal(to:of:)``.
  ///
  /// - Complexity: O(n log n).
  package init(valuesEqualToAny values: [Value], of index: PropertyIndex) {
    var spans: [IndexSpan] = []
    spans.reserveCapacity(values.count)
    for value in values { spans += IndexRange.equal(to: value, of: index).spans }
    self.init(spans, index)
  }

  /// Creates a union of several ranges.
  ///
  /// - Precondition: All ranges are of the index.
  /// - Complexity: O(n log n).
  package init(_ ranges: [IndexRange], of index: PropertyIndex) {
    self.init(ranges.flatMap(\.spans), index)
  }

  private init(_ unsorted: [IndexSpan], _ index: PropertyIndex) {
    self.index = index
    var spans: [IndexSpan] = []
    spans.reserveCapacity(unsorted.count)
    var isDisjoint = true
    for position in Self.order(of: unsorted) {
      let span = unsorted[position]
      guard let last = spans.last else {
        spans.append(span)
        continue
      }
      let overlaps = last.upper.map { span.lower < $0 } ?? true
      if overlaps, last.isExact {
        // An exact span absorbs the spans that begin in it.
        if let merged = last.union(span) {
          spans[spans.count - 1] = merged
        } else {
          isDisjoint = false
          spans.append(span)
        }
      } else {
        if overlaps { isDisjoint = false }
        spans.append(span)
      }
    }
    self.spans = spans
    self.isDisjoint = isDisjoint
  }

  /// The indices of spans, sorted by lower bound.
  private static func order(of spans: [IndexSpan]) -> [Int] {
    // Most lower bounds differ in the first bytes after the index id.
    let starts = spans.indices.map { (start: spans[$0].lower.eightBytes, position: $0) }
    return starts.sorted { first, second in
      first.start == second.start
        ? spans[first.position].lower < spans[second.position].lower : first.start < second.start
    }.map(\.position)
  }

  /// The exact number of objects.
  ///
  /// - Parameter reader: A snapshot or the running write transaction.
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(ranges × log entries), plus the leaves of long ranges.
  package func count(_ reader: any TableReader) throws(Failure) -> Int {
    guard isDisjoint else { return try ids(reader).count }
    var total = 0
    var cursor = reader.cursor(.indexes)
    for span in spans {
      guard span.isExact else {
        total += try span.count(reader, index)
        continue
      }
      var steps = 0
      var isPresent = span.lower.withUnsafeBytes { cursor.seekForward(key: $0) }
      while isPresent, span.reaches(cursor.key) {
        steps += 1
        guard steps < Self.countedSteps else {
          steps = try span.count(reader, index)
          break
        }
        isPresent = cursor.next()
      }
      total += steps
    }
    return total
  }

  /// The maximum number of entries of a range that are counted one by one.
  private static let countedSteps = 64

  /// The estimated number of objects, extrapolated from the estimates of a few ranges.
  ///
  /// - Complexity: O(depth) pages, independent of the number of ranges.
  package func estimate(_ reader: any TableReader) -> Int {
    let sampled = min(spans.count, 16)
    guard sampled > 0 else { return 0 }
    var total = 0
    for sample in 0..<sampled {
      total += spans[sample * spans.count / sampled].estimate(reader)
    }
    return total * spans.count / sampled
  }

  /// The ids of the objects, ascending and without duplicates.
  ///
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(ranges × log entries + objects).
  package func ids(_ reader: any TableReader) throws(Failure) -> [UInt64] {
    var ids: [UInt64] = []
    var cursor = reader.cursor(.indexes)
    var reached: OrderedKey?
    for span in spans {
      // Overlapping ranges of truncated keys begin before the end of the previous range.
      let isAhead = isDisjoint || reached.map { $0 <= span.lower } ?? true
      var isPresent = span.lower.withUnsafeBytes {
        isAhead ? cursor.seekForward(key: $0) : cursor.seek(key: $0)
      }
      while isPresent, span.reaches(cursor.key) {
        if span.isExact || span.accepts(index.wholeBytes(cursor.key, cursor.value)) {
          ids.append(try index.objectID(cursor.key, cursor.value))
        }
        isPresent = cursor.next()
      }
      if !isDisjoint { reached = span.upper ?? reached }
    }
    IDSorting.sortUnique(&ids)
    return ids
  }
}

extension OrderedKey {
  /// The first eight bytes after the index id, as a number.
  fileprivate var eightBytes: UInt64 {
    var number: UInt64 = 0
    for index in 4..<12 { number = number << 8 | UInt64(index < count ? bytes[index] : 0) }
    return number
  }
}

extension IndexSpan {
  /// Whether the span ends after a key.
  fileprivate func reaches(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let upper else { return true }
    return upper.withUnsafeBytes { ByteOrder.compare(key, $0) < 0 }
  }

  /// The union of this span, which is exact, and an overlapping span that does not begin before it.
  /// Nil if the other span extends beyond this one and is not exact.
  fileprivate func union(_ other: IndexSpan) -> IndexSpan? {
    guard let upper, let end = other.upper else {
      if self.upper == nil || other.isExact { return IndexSpan(lower: lower, upper: nil) }
      return nil
    }
    if end <= upper { return self }
    return other.isExact ? IndexSpan(lower: lower, upper: end) : nil
  }
}
