/// The contents of the objects with a small list or a small dictionary.
package enum SmallCollections {
  /// The number of elements of a list, or of keys of a dictionary.
  package static let length = 5

  /// The last byte of each string. The strings of an object are therefore distinct.
  private static let marks = ["v", "w", "x", "y", "z"]

  /// The string at an index of an object: 3 to 8 bytes.
  package static func text(_ id: Int, _ index: Int) -> String {
    let bits = SplitMix.mix(0x5A11 &+ UInt64(id * 8 + index))
    return String(Person.name(bits).prefix(2 + Int(bits % 6))) + marks[index]
  }

  /// The lists of the first `count` objects.
  static func lists(_ count: Int) -> [[String]] {
    (0..<count).map { id in (0..<length).map { text(id, $0) } }
  }

  /// The dictionaries of the first `count` objects, each with its entries in random order.
  static func maps(_ count: Int) -> [[SmallMapEntry]] {
    (0..<count).map { id in
      (0..<length).map {
        SmallMapEntry(key: text(id, $0), value: Int(SplitMix.mix(UInt64(id * 8 + $0)) % 1000))
      }
    }
  }

  /// Changes of random elements of the lists. Some elements are changed several times.
  static func listChanges(_ count: Int, of objects: Int) -> [SmallListChange] {
    places(count, objects).enumerated().map { number, place in
      SmallListChange(
        id: place.id, index: place.index, element: text(objects + number, place.index))
    }
  }

  /// Changes of the values of random keys. Some values are changed several times.
  static func mapChanges(_ count: Int, of objects: Int) -> [SmallMapChange] {
    places(count, objects).enumerated().map { number, place in
      SmallMapChange(id: place.id, key: text(place.id, place.index), value: 1000 + number)
    }
  }

  private static func places(_ count: Int, _ objects: Int) -> [(id: Int, index: Int)] {
    Inputs.indexes(count, below: objects * length, seed: 40)
      .map { (id: $0 / length, index: $0 % length) }
  }
}

/// A key and a value of a small dictionary.
package struct SmallMapEntry: Sendable {
  package var key: String
  package var value: Int
}

/// The replacement of an element of the list of an object.
package struct SmallListChange: Sendable {
  package var id: Int
  package var index: Int
  package var element: String
}

/// The replacement of the value of an existing key in the dictionary of an object.
package struct SmallMapChange: Sendable {
  package var id: Int
  package var key: String
  package var value: Int
}
