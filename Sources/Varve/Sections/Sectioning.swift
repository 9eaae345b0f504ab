import Foundation
import VarveCore

/// The elements of a collection in sections: in each those with one key, in the order of the collection.
///
/// Thread safety: a value.
struct Sectioning<Key: Hashable & Sendable>: Sendable {
  /// The order of sections by their keys; nil: as their first elements stand in the collection.
  typealias Order = @Sendable (Key, Key) -> Bool

  /// The key of each element of the collection.
  let elementKeys: [Key]
  /// The keys of the sections, in their order.
  let keys: [Key]
  /// The places, in the collection, of the elements of each section; ascending.
  let places: [[Int]]
  /// The number of each section.
  let numbers: [Key: Int]

  /// - Complexity: O(elements + sections · log sections).
  init(_ elementKeys: [Key], order: Order?) {
    var (keys, places, numbers): ([Key], [[Int]], [Key: Int]) = ([], [], [:])
    for (place, key) in elementKeys.enumerated() {
      if let number = numbers[key] {
        places[number].append(place)
      } else {
        numbers[key] = keys.count
        keys.append(key)
        places.append([place])
      }
    }
    if let order {
      let sorted = keys.indices.sorted { order(keys[$0], keys[$1]) }
      keys = sorted.map { keys[$0] }
      places = sorted.map { places[$0] }
      for (number, key) in keys.enumerated() { numbers[key] = number }
    }
    self.elementKeys = elementKeys
    self.keys = keys
    self.places = places
    self.numbers = numbers
  }

  /// Where an element stands: the number of its section, and its place in it.
  ///
  /// - Complexity: O(log elements).
  func position(of place: Int) -> IndexPath {
    guard let section = numbers[elementKeys[place]] else {
      preconditionFailure("Each element is in a section.")
    }
    return IndexPath(indexes: [section, places[section].countAscending { $0 < place }])
  }
}
