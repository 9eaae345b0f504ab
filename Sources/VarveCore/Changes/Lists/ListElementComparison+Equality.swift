import VarveEncoding
import VarveStorage

extension ListElementComparison {
  /// How many elements are looked at first; then four times as many, and so on.
  private static let firstPortion = 128

  /// Compares elements of two versions of a list one by one.
  ///
  /// - Parameters:
  ///   - old: reads the old version; has not read anything yet.
  ///   - new: reads the new version; has not read anything yet.
  ///   - form: how elements are compared.
  ///   - oldIndexes: of the elements in the old version, which has them.
  ///   - newStart: the index of the first of as many elements in the new version; where nil, the same.
  /// - Returns: whether all are equal.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(elements) up to the first that differs, beside a look-up a level.
  static func areEqual(
    _ old: ListNodeReader, _ new: ListNodeReader, _ form: ListElementForm,
    at oldIndexes: Range<Int>, and newStart: Int? = nil
  ) throws(StorageError) -> Bool {
    let shift = (newStart ?? oldIndexes.lowerBound) - oldIndexes.lowerBound
    var start = oldIndexes.lowerBound
    var portion = firstPortion
    while start < oldIndexes.upperBound {
      let end = min(start + portion, oldIndexes.upperBound)
      let before = try run(old, start..<end)
      let after = try run(new, start + shift..<end + shift)
      var elements = ListElementComparison(before, after, form)
      guard
        try elements.areEqual(
          old: start - before.start, new: start + shift - after.start, count: end - start)
      else { return false }
      start = end
      portion *= 4
    }
    return true
  }

  private static func run(
    _ reader: ListNodeReader, _ indexes: Range<Int>
  ) throws(StorageError) -> ListElementRun {
    var reader = reader
    let leaves = try reader.leaves(below: try reader.root(), holding: indexes)
    guard leaves.start <= indexes.lowerBound, leaves.indexes.upperBound >= indexes.upperBound else {
      throw reader.damaged()
    }
    return ListElementRun(leaves, reader)
  }
}
