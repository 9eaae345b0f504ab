import Testing
import VarveEncoding
import VarveStorage
import VarveTestSupport

@testable import VarveCore

@Suite struct ListElementComparisonTests {
  private let listID = ListTestStore.listID

  @Test(arguments: [1, 7, 100, 5000])
  func comparisonInWindowsTransformsOldListIntoNewList(window: Int) throws {
    var random = SeededRandom()
    let store = try ListTestStore()
    let format = ListTestKind.int.format
    for _ in 0..<6 {
      let old = (0..<random.int(1...1500)).map { _ in UInt64(random.below(60)) }
      var new = old
      for _ in 0..<random.int(1...20) { new.insert(99, at: random.int(0...new.count)) }
      new.removeSubrange(0..<random.below(new.count))
      let before = try write(store, old)
      let after = try write(store, new)
      var comparison = try ListElementComparison(
        elements(before, format), elements(after, format), ListElementForm(format), window: window)
      var replacements: [ListReplacement] = []
      try comparison.append(to: &replacements)
      #expect(replaced(old, by: replacements, new) == new, "\(random)")
    }
  }

  private func write(_ store: ListTestStore, _ elements: [UInt64]) throws -> Snapshot {
    try store.write(ListTestKind.int.format) { editor in
      if editor.count > 0 { try editor.removeAll() }
      try editor.insert(contentsOf: elements, at: 0)
    }
  }

  private func elements(
    _ snapshot: Snapshot, _ format: ListElementFormat
  ) throws -> ListElementRun {
    var reader = ListNodeReader(listID: listID, format: format, snapshot: snapshot)
    return ListElementRun(try reader.leaves(below: try reader.root()), reader)
  }

  /// Applies replacements to an array. Only the replaced ranges are taken from the new array.
  private func replaced(
    _ old: [UInt64], by replacements: [ListReplacement], _ new: [UInt64]
  ) -> [UInt64] {
    var result = old
    for replacement in replacements.reversed() {
      result.replaceSubrange(replacement.old, with: new[replacement.new])
    }
    return result
  }
}
