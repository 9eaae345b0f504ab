import VarveEncoding
import VarveStorage

extension ListElementComparison {
  /// The number of elements compared first; each following portion is four times as large.
  private static let firstPortion = 128

  /// Compares elements of two versions of a list one by one.
  ///
  /// - Parameters:
  ///   - old: A new reader of the old version.
  ///   - new: A new reader of the new version.
  ///   - form: How elements are compared.
  ///   - oldIndexes: The indexes of the elements in the old version, all in bounds.
  ///   - newStart: The index of the first of as many elements in the new version; nil for the index
  ///     in the old version.
  /// - Returns: true if all elements are equal.
  /// - Throws: `.corrupted`.
  /// - Complexity: O(elements) up to the first that differs, plus one lookup per level.
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
