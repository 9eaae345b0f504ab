package import VarveEncoding
package import VarveStorage

/// The objects of several ranges of one index, such as those of the values of an `IN`.
///
/// The ranges are visited in the order of their keys, by one cursor that only moves forward.
///
/// Thread safety: an immutable value.
package struct IndexUnion: Sendable {
  package let index: PropertyIndex
  /// By their lower bounds.
  private let spans: [IndexSpan]
  /// Whether no key is in two of them.
  private let isDisjoint: Bool

  /// The entries whose values equal one of some constants; as ``IndexRange/equal(to:of:)``.
  ///
  /// - Complexity: O(n log n).
  package init(valuesEqualToAny values: [Value], of index: PropertyIndex) {
    var spans: [IndexSpan] = []
    spans.reserveCapacity(values.count)
    for value in values { spans += IndexRange.equal(to: value, of: index).spans }
    self.init(spans, index)
  }

  /// The entries of any of some ranges.
  ///
  /// - Precondition: all are ranges of the index.
  /// - Complexity: O(n log n).
  package init(_ ranges: [IndexRange], of index: PropertyIndex) {
    self.init(ranges.flatMap(\.spans), index)
  }

  private init(_ unsorted: [IndexSpan], _ index: PropertyIndex) {
    self.index = index
    var spans: [IndexSpan] = []
    spans.reserveCapacity(unsorted.count)
    var isDisjoint = true
    for place in Self.order(of: unsorted) {
      let span = unsorted[place]
      guard let last = spans.last else {
        spans.append(span)
        continue
      }
      let overlaps = last.upper.map { span.lower < $0 } ?? true
      if overlaps, last.isExact {
        // One that is exact takes in all that begins in it.
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

  /// The places of spans in the order of their lower bounds.
  private static func order(of spans: [IndexSpan]) -> [Int] {
    // Most are told apart by a few bytes behind the index.
    let places = spans.indices.map { (start: spans[$0].lower.eightBytes, place: $0) }
    return places.sorted { first, second in
      first.start == second.start
        ? spans[first.place].lower < spans[second.place].lower : first.start < second.start
    }.map(\.place)
  }

  /// The number of objects.
  ///
  /// - Parameter reader: a snapshot or the running transaction.
  /// - Returns: the exact number.
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(ranges × log entries), and the leaves of long ranges.
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

  /// So many entries of a range are counted one by one.
  private static let countedSteps = 64

  /// About how many objects there are: the sum of the estimates of a few ranges, taken for all.
  ///
  /// - Complexity: O(depth) pages, however many ranges there are.
  package func estimate(_ reader: any TableReader) -> Int {
    let sampled = min(spans.count, 16)
    guard sampled > 0 else { return 0 }
    var total = 0
    for sample in 0..<sampled {
      total += spans[sample * spans.count / sampled].estimate(reader)
    }
    return total * spans.count / sampled
  }

  /// The ids of the objects, in ascending order, each once.
  ///
  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(ranges × log entries + objects).
  package func ids(_ reader: any TableReader) throws(Failure) -> [UInt64] {
    var ids: [UInt64] = []
    var cursor = reader.cursor(.indexes)
    var reached: OrderedKey?
    for span in spans {
      // Ranges that overlap, of cut keys, begin before the place where the last one ended.
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
  /// The first eight bytes behind the index, as a number.
  fileprivate var eightBytes: UInt64 {
    var number: UInt64 = 0
    for place in 4..<12 { number = number << 8 | UInt64(place < count ? bytes[place] : 0) }
    return number
  }
}

extension IndexSpan {
  /// Whether the span ends behind a key.
  fileprivate func reaches(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let upper else { return true }
    return upper.withUnsafeBytes { ByteOrder.compare(key, $0) < 0 }
  }

  /// One span of both, of which this one is exact and begins first; nil if the other one reaches out of it and is
  /// not exact.
  fileprivate func union(_ other: IndexSpan) -> IndexSpan? {
    guard let upper, let end = other.upper else {
      if self.upper == nil || other.isExact { return IndexSpan(lower: lower, upper: nil) }
      return nil
    }
    if end <= upper { return self }
    return other.isExact ? IndexSpan(lower: lower, upper: end) : nil
  }
}
