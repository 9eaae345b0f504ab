import VarveStorage

extension Version {
  /// Whether this version comes after `other`; nil when they belong to different histories.
  func isNewer(than other: Version) -> Bool? {
    incarnation == other.incarnation ? counter > other.counter : nil
  }
}
