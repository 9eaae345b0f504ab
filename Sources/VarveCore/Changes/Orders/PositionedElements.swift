/// The objects of a list or similar source, in its order, each with a position: a number that an
/// element keeps as long as it is in the list.
///
/// Positions ascend along the list, with gaps between them. Unlike an index, a position identifies
/// an element however many elements are inserted or removed before it, and an object may be in the
/// list several times.
///
/// Copies share nodes. An element costs about 17 bytes when built and about 25 after many edits,
/// and as much again once objects were searched for more than once.
struct PositionedElements: Sendable {
  /// An element: its prefix is its position.
  typealias Element = OrderedEntry

  /// The elements that left and entered the list.
  typealias Replaced = (removed: [Element], inserted: [Element])

  /// The distance of two positions in a newly built list.
  private static let usualDistance: UInt64 = 1 << 40

  /// The elements in the order of the list.
  private(set) var elements: OrderedIDs
  /// The elements by object: the prefix is the object, the id the position. Built at the second
  /// search for objects. The first search visits all elements, which costs less.
  private var positions: OrderedIDs?
  private var wasSearched = false

  /// - Complexity: O(n).
  init(_ objects: [UInt64]) {
    let distance = min(Self.usualDistance, UInt64.max / UInt64(objects.count + 2))
    // The positions are centered, which leaves room at both ends.
    var position = UInt64.max / 2 - distance * UInt64(objects.count / 2)
    elements = OrderedIDs(
      inOrder: objects.map { object in
        position += distance
        return Element(prefix: position, id: object)
      })
  }

  var count: Int { elements.count }

  /// - Complexity: O(n).
  var objects: [UInt64] { elements.map(\.id) }

  /// Returns the index of the element at a position, or the index where it would be.
  ///
  /// - Complexity: O(log n).
  func index(ofPosition position: UInt64) -> Int { elements.firstIndex { $0.prefix < position } }

  /// Returns the object at a position.
  ///
  /// - Precondition: the position has an element.
  /// - Complexity: O(log n).
  func object(atPosition position: UInt64) -> UInt64 { elements[index(ofPosition: position)].id }

  // MARK: Looking for objects

  /// Returns the elements that are one of the given objects, in the order of the list.
  ///
  /// - Parameter objects: The ids of the objects, ascending.
  /// - Complexity: O(k log n) for k objects and elements found. O(n) the first time and for many
  ///   objects, O(n log n) the second time.
  mutating func find(_ objects: [UInt64]) -> [Element] {
    if objects.isEmpty || count == 0 { return [] }
    defer { wasSearched = true }
    if positions == nil && !wasSearched || objects.count > count / 8 {
      return elements.filter { objects.containsAscending($0.id) }
    }
    let positions = positions ?? makePositions()
    self.positions = positions
    var found: [Element] = []
    for object in objects {
      let first = positions.firstIndex { $0.prefix < object }
      for entry in positions.entries(from: first) {
        guard entry.prefix == object else { break }
        found.append(Element(prefix: entry.id, id: object))
      }
    }
    return found.sorted { $0.prefix < $1.prefix }
  }

  /// Returns the indexes of the given objects.
  ///
  /// - Parameter objects: The ids of the objects, ascending.
  /// - Complexity: the cost of ``find(_:)``.
  mutating func indexes(of objects: [UInt64]) -> IndexRanges {
    var indexes = IndexRanges()
    for element in find(objects) { indexes.append(index(ofPosition: element.prefix)) }
    return indexes
  }

  private func makePositions() -> OrderedIDs {
    var entries = elements.map { Element(prefix: $0.id, id: $0.prefix) }
    entries.sort { $0.prefix == $1.prefix ? $0.id < $1.id : $0.prefix < $1.prefix }
    return OrderedIDs(inOrder: entries)
  }

  // MARK: Following the list

  /// Removes and inserts elements.
  ///
  /// - Parameter changes: The indexes, and the inserted objects.
  /// - Returns: The removed and inserted elements; nil if there is no free position between two
  ///   elements, or an index is out of bounds. After nil, this value must be discarded.
  /// - Complexity: O(changes · log n).
  mutating func replace(_ changes: ResultsSource.Changes) -> Replaced? {
    guard changes.deletions.ranges.last?.upperBound ?? 0 <= count,
      changes.insertions.count == changes.objects.count
    else { return nil }
    var replaced: Replaced = ([], [])
    for range in changes.deletions.ranges.reversed() {
      for index in range.reversed() {
        replaced.removed.append(elements[index])
        elements.remove(at: index)
      }
    }
    var next = 0
    for range in changes.insertions.ranges {
      guard range.lowerBound <= count,
        let positions = newPositions(range.count, before: range.lowerBound)
      else { return nil }
      for (index, position) in zip(range, positions) {
        let element = Element(prefix: position, id: changes.objects[next])
        replaced.inserted.append(element)
        elements.insert(element, at: index)
        next += 1
      }
    }
    updatePositions(replaced)
    return replaced
  }

  /// Returns positions for elements that are inserted before the element at an index, or nil if
  /// there is no room.
  private func newPositions(_ number: Int, before index: Int) -> [UInt64]? {
    let lower = index > 0 ? elements[index - 1].prefix : count == 0 ? UInt64.max / 2 : 0
    let upper = index < count ? elements[index].prefix : UInt64.max
    let distance = min((upper - lower) / UInt64(number + 1), Self.usualDistance)
    guard distance > 0 else { return nil }
    // Before the first element, the positions are placed near to it.
    let start = index == 0 && count > 0 ? upper - distance * UInt64(number + 1) : lower
    return (1...number).map { start + distance * UInt64($0) }
  }

  private mutating func updatePositions(_ replaced: Replaced) {
    guard var positions else { return }
    // Cleared so that the order is edited in place.
    self.positions = nil
    for element in replaced.removed { positions.remove(at: Self.index(of: element, in: positions)) }
    for element in replaced.inserted {
      positions.insert(
        Element(prefix: element.id, id: element.prefix), at: Self.index(of: element, in: positions))
    }
    self.positions = positions
  }

  /// Returns the index of an element among the elements by object, or the index where it belongs.
  private static func index(of element: Element, in positions: OrderedIDs) -> Int {
    positions.firstIndex {
      $0.prefix == element.id ? $0.id < element.prefix : $0.prefix < element.id
    }
  }
}
