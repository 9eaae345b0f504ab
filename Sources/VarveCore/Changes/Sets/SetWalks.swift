import VarveEncoding

/// Iterates over all elements of two versions of a set.
///
/// Thread safety: one thread at a time.
struct SetWalks {
  /// An element that only one version has.
  enum Step {
    case deletion(Int)
    case insertion(Int, Value)
  }

  /// One version: its walk and the current element.
  private struct Side {
    let walk: SetWalk
    var element: Value?
    var key: SetElementKey?
    var index = -1

    init(_ walk: SetWalk) { self.walk = walk }

    mutating func advance(_ type: PropertyType) throws(Failure) {
      element = try walk.next()
      key = element.map { SetElementKey($0, type) }
      index += 1
    }
  }

  private let type: PropertyType
  private var old: Side
  private var new: Side
  private var hasBegun = false

  /// - Parameters:
  ///   - old: A walk positioned before the first element of the old version.
  ///   - new: A walk positioned before the first element of the new version.
  ///   - type: The type of the elements.
  init(_ old: SetWalk, _ new: SetWalk, _ type: PropertyType) {
    self.old = Side(old)
    self.new = Side(new)
    self.type = type
  }

  /// Returns the next element that only one version has, or nil at the end of both.
  ///
  /// - Throws: `.corrupted`.
  mutating func next() throws(Failure) -> Step? {
    if !hasBegun {
      hasBegun = true
      try old.advance(type)
      try new.advance(type)
    }
    while let oldKey = old.key, let newKey = new.key, oldKey == newKey {
      try old.advance(type)
      try new.advance(type)
    }
    if let oldKey = old.key, new.key.map({ oldKey < $0 }) ?? true {
      let index = old.index
      try old.advance(type)
      return .deletion(index)
    }
    guard let element = new.element else { return nil }
    let index = new.index
    try new.advance(type)
    return .insertion(index, element)
  }
}
