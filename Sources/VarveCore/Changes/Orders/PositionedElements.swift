/// The objects of a list or the like, in its order, each at a place: a number that it keeps for as long as it
/// stands there.
///
/// Places ascend along the list, with room between them. So an element can be named by its place, whatever comes and
/// goes before it, and an object may stand in the list several times.
///
/// Copies share what they have in common. An element costs some 17 bytes when built and some 25 after many edits, and
/// as much again once objects were looked for more than once.
///
/// Thread safety: a value.
struct PositionedElements: Sendable {
  /// An element: its prefix is its place.
  typealias Element = OrderedEntry

  /// What left and what entered the list.
  typealias Replaced = (removed: [Element], inserted: [Element])

  /// How far apart places are where nothing keeps them nearer to each other.
  private static let usualDistance: UInt64 = 1 << 40

  /// The elements in the order of the list.
  private(set) var elements: OrderedIDs
  /// The elements by object: the prefix is the object, the id the place. Made when objects are looked for the second
  /// time: the first time all elements are looked at, which costs less.
  private var places: OrderedIDs?
  private var wasSearched = false

  /// - Complexity: O(n).
  init(_ objects: [UInt64]) {
    let distance = min(Self.usualDistance, UInt64.max / UInt64(objects.count + 2))
    // In the middle of all numbers: room at both ends.
    var place = UInt64.max / 2 - distance * UInt64(objects.count / 2)
    elements = OrderedIDs(
      inOrder: objects.map { object in
        place += distance
        return Element(prefix: place, id: object)
      })
  }

  var count: Int { elements.count }

  /// - Complexity: O(n).
  var objects: [UInt64] { elements.map(\.id) }

  /// The index of the element at a place, or where it would stand.
  ///
  /// - Complexity: O(log n).
  func index(ofPlace place: UInt64) -> Int { elements.firstIndex { $0.prefix < place } }

  /// The object at a place.
  ///
  /// - Precondition: there is an element.
  /// - Complexity: O(log n).
  func object(atPlace place: UInt64) -> UInt64 { elements[index(ofPlace: place)].id }

  // MARK: Looking for objects

  /// The elements that are one of some objects, in the order of the list.
  ///
  /// - Parameter objects: ascending ids.
  /// - Returns: the elements.
  /// - Complexity: O(k log n) for k objects and elements found. O(n) the first time and for many objects, O(n log n) the
  ///   second time.
  mutating func find(_ objects: [UInt64]) -> [Element] {
    if objects.isEmpty || count == 0 { return [] }
    defer { wasSearched = true }
    if places == nil && !wasSearched || objects.count > count / 8 {
      return elements.filter { objects.containsAscending($0.id) }
    }
    let places = places ?? makePlaces()
    self.places = places
    var found: [Element] = []
    for object in objects {
      let first = places.firstIndex { $0.prefix < object }
      for entry in places.entries(from: first) {
        guard entry.prefix == object else { break }
        found.append(Element(prefix: entry.id, id: object))
      }
    }
    return found.sorted { $0.prefix < $1.prefix }
  }

  /// The indexes at which some objects stand.
  ///
  /// - Parameter objects: ascending ids.
  /// - Returns: the indexes.
  /// - Complexity: as ``find(_:)``.
  mutating func indexes(of objects: [UInt64]) -> IndexRanges {
    var indexes = IndexRanges()
    for element in find(objects) { indexes.append(index(ofPlace: element.prefix)) }
    return indexes
  }

  private func makePlaces() -> OrderedIDs {
    var entries = elements.map { Element(prefix: $0.id, id: $0.prefix) }
    entries.sort { $0.prefix == $1.prefix ? $0.id < $1.id : $0.prefix < $1.prefix }
    return OrderedIDs(inOrder: entries)
  }

  // MARK: Following the list

  /// Takes elements away and puts others in.
  ///
  /// - Parameter changes: the positions, and the objects that are put in.
  /// - Returns: the elements; nil where there is no room for a place between two others, or there are no such indexes.
  ///   Then these elements are of no use any more.
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
        let places = newPlaces(range.count, before: range.lowerBound)
      else { return nil }
      for (index, place) in zip(range, places) {
        let element = Element(prefix: place, id: changes.objects[next])
        replaced.inserted.append(element)
        elements.insert(element, at: index)
        next += 1
      }
    }
    updatePlaces(replaced)
    return replaced
  }

  /// Places for elements that are put in before the one at an index; nil where there is no room.
  private func newPlaces(_ wanted: Int, before index: Int) -> [UInt64]? {
    let lower = index > 0 ? elements[index - 1].prefix : count == 0 ? UInt64.max / 2 : 0
    let upper = index < count ? elements[index].prefix : UInt64.max
    let distance = min((upper - lower) / UInt64(wanted + 1), Self.usualDistance)
    guard distance > 0 else { return nil }
    // Before the first element, near to it.
    let start = index == 0 && count > 0 ? upper - distance * UInt64(wanted + 1) : lower
    return (1...wanted).map { start + distance * UInt64($0) }
  }

  private mutating func updatePlaces(_ replaced: Replaced) {
    guard var places else { return }
    // Given up, so that it is edited where it is.
    self.places = nil
    for element in replaced.removed { places.remove(at: Self.index(of: element, in: places)) }
    for element in replaced.inserted {
      places.insert(
        Element(prefix: element.id, id: element.prefix), at: Self.index(of: element, in: places))
    }
    self.places = places
  }

  /// Where an element stands, or belongs, among the elements by object.
  private static func index(of element: Element, in places: OrderedIDs) -> Int {
    places.firstIndex { $0.prefix == element.id ? $0.id < element.prefix : $0.prefix < element.id }
  }
}
