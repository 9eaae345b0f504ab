/// Sorts object ids in linear time.
enum IDSorting {
  /// Sorts ids, which should be unique. Duplicates may be removed.
  ///
  /// - Complexity: O(n). Dense ids are sorted with a bit set, other ids with a radix sort.
  static func sort(_ ids: inout [UInt64]) {
    guard ids.count > 1 else { return }
    var least = ids[0]
    var greatest = ids[0]
    var isSorted = true
    var last = ids[0]
    for id in ids {
      if id < last { isSorted = false }
      last = id
      least = min(least, id)
      greatest = max(greatest, id)
    }
    if isSorted { return }
    if ids.count < 64 {
      ids.sort()
    } else if (greatest - least) / 64 < UInt64(ids.count) * 2 {
      sortByBits(&ids, least, greatest)
    } else {
      sortByDigits(&ids, differing: least ^ greatest)
    }
  }

  /// Sorts ids and removes duplicates. See ``sort(_:)``.
  static func sortUnique(_ ids: inout [UInt64]) {
    sort(&ids)
    guard ids.count > 1 else { return }
    var end = 1
    for index in 1..<ids.count where ids[index] != ids[end - 1] {
      ids[end] = ids[index]
      end += 1
    }
    ids.removeSubrange(end...)
  }

  private static func sortByBits(_ ids: inout [UInt64], _ least: UInt64, _ greatest: UInt64) {
    var words = [UInt64](repeating: 0, count: Int((greatest - least) / 64) + 1)
    for id in ids {
      let bit = id - least
      words[Int(bit >> 6)] |= 1 << (bit & 63)
    }
    var count = 0
    for index in words.indices {
      var word = words[index]
      let start = least + UInt64(index) << 6
      while word != 0 {
        ids[count] = start + UInt64(word.trailingZeroBitCount)
        count += 1
        word &= word - 1
      }
    }
    ids.removeSubrange(count...)
  }

  private static let digitBits: UInt64 = 11

  /// Sorts by digits, from the lowest digit to the highest one in which ids differ.
  ///
  /// - Parameter differing: A word whose highest set bit is the highest bit in which two ids
  ///   differ.
  private static func sortByDigits(_ ids: inout [UInt64], differing: UInt64) {
    var source = ids
    var target = ids
    let mask: UInt64 = 1 << digitBits - 1
    let bits = UInt64(64 - differing.leadingZeroBitCount)
    for shift in stride(from: 0, to: bits, by: Int(digitBits)) {
      var starts = [Int](repeating: 0, count: Int(mask) + 2)
      for id in source { starts[Int(id >> shift & mask) + 1] += 1 }
      for digit in 1..<starts.count { starts[digit] += starts[digit - 1] }
      for id in source {
        let digit = Int(id >> shift & mask)
        target[starts[digit]] = id
        starts[digit] += 1
      }
      swap(&source, &target)
    }
    ids = source
  }
}
