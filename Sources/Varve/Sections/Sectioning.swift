import Foundation
import VarveCore

/// The elements of a collection, grouped into sections by a key, in the order of the collection.
struct Sectioning<Key: Hashable & Sendable>: Sendable {
  /// The order of sections by their keys; nil sorts them by their first elements.
  typealias Order = @Sendable (Key, Key) -> Bool

  /// The key of each element of the collection.
  let elementKeys: [Key]
  /// The keys of the sections, in the order of the sections.
  let keys: [Key]
  /// The indexes, in the collection, of the elements of each section, in ascending order.
  let indexes: [[Int]]
  /// The index of the section of each key.
  let numbers: [Key: Int]

  /// - Complexity: O(elements + sections · log sections).
  init(_ elementKeys: [Key], order: Order?) {
    var (keys, indexes, numbers): ([Key], [[Int]], [Key: Int]) = ([], [], [:])
    for (index, key) in elementKeys.enumerated() {
      if let number = numbers[key] {
        indexes[number].append(index)
      } else {
        numbers[key] = keys.count
        keys.append(key)
        indexes.append([index])
      }
    }
    if let order {
      let sorted = keys.indices.sorted { order(keys[$0], keys[$1]) }
      keys = sorted.map { keys[$0] }
      indexes = sorted.map { indexes[$0] }
      for (number, key) in keys.enumerated() { numbers[key] = number }
    }
    self.elementKeys = elementKeys
    self.keys = keys
    self.indexes = indexes
    self.numbers = numbers
  }

  /// Returns the index path of an element: the index of its section, and its index in the section.
  ///
  /// - Complexity: O(log elements).
  func position(of index: Int) -> IndexPath {
    guard let section = numbers[elementKeys[index]] else {
      preconditionFailure("Each element is in a section.")
    }
    return IndexPath(indexes: [section, indexes[section].countAscending { $0 < index }])
  }
}
