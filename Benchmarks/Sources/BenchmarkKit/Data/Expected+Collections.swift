/// The checksums of small lists and dictionaries.
extension Expected {
  /// The checksum of all bytes of the lists, which depends on the order of lists and elements.
  static func lists(_ lists: [[String]]) -> Checksum {
    lists.reduce(into: Checksum()) { checksum, list in
      checksum.add(next: list.count)
      for element in list { checksum.add(next: hash(element)) }
    }
  }

  /// The checksum of all keys and values, which depends on the order of the dictionaries.
  static func maps(_ maps: [[String: Int]]) -> Checksum {
    maps.reduce(into: Checksum()) { checksum, map in
      checksum.add(next: map.count)
      checksum.add(next: map.reduce(0) { $0 &+ hash($1.key, $1.value) })
    }
  }

  private static func hash(_ text: String, _ number: Int = 0) -> Int {
    let hash = text.utf8.reduce(number) { $0 &* 257 &+ Int($1) }
    return Int(truncatingIfNeeded: SplitMix.mix(UInt64(bitPattern: Int64(hash))))
  }
}
