package import VarveEncoding
package import VarveStorage

/// Where each object stands in a list of objects: what an observed list needs to tell which of its
/// elements link to objects that have changed.
///
/// The list's objects are kept in a counted tree in memory, and for each object the leaf that it is
/// in. The map belongs to one version of the list, and is brought to another one by the changes
/// between them. It takes 30 to 40 bytes an element, and up to 100 where every object is in the list
/// several times.
///
/// Thread safety: a value for one thread at a time. Copies share nothing that changes, but the first
/// change after a copy costs the whole map.
package struct ListObjectMap {
  /// How many elements the list has.
  package internal(set) var count = 0

  let listID: UInt64
  private let format: ListElementFormat

  var leaves: [Leaf] = []
  var freeLeaves: [Int] = []
  var nodes: [Node] = [Node(holdsLeaves: true)]
  var freeNodes: [Int] = []
  var root = 0

  /// The leaf that an object is in; `several` if it is in the list more than once.
  private var places: [UInt64: UInt32] = [:]
  /// How often each object that is in the list more than once is in which leaf.
  private var placesOfRepeated: [UInt64: [UInt32: Int]] = [:]
  private static let several = UInt32.max

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - listID: of the list's collection record.
  ///   - format: how the list's leaves store its elements, which are links.
  ///   - snapshot: the version to read.
  /// - Throws: `.corrupted` for damaged nodes.
  /// - Complexity: O(n).
  /// - Precondition: it is a list of objects.
  package init(
    listID: UInt64, format: ListElementFormat, in snapshot: Snapshot
  ) throws(StorageError) {
    precondition(format.type == .link && !format.isNullable, "The list is not one of objects.")
    self.listID = listID
    self.format = format
    try read(snapshot)
  }

  /// The indexes of an object, ascending.
  ///
  /// - Complexity: O(log n) for each of them.
  package func indexes(of objectID: UInt64) -> [Int] {
    guard let leaf = places[objectID] else { return [] }
    if leaf != Self.several { return indexes(of: objectID, inLeaf: Int(leaf)) }
    let leaves = placesOfRepeated[objectID] ?? [:]
    return leaves.keys.flatMap { indexes(of: objectID, inLeaf: Int($0)) }.sorted()
  }

  /// The indexes of some objects, each of which is given once; others than those of the list are
  /// passed over.
  ///
  /// - Complexity: O(k log n) for k objects and indexes.
  package func indexes(of objectIDs: some Sequence<UInt64>) -> IndexRanges {
    var found: [Int] = []
    for id in objectIDs { found.append(contentsOf: indexes(of: id)) }
    found.sort()
    var ranges = IndexRanges()
    for index in found { ranges.append(index) }
    return ranges
  }

  private func indexes(of objectID: UInt64, inLeaf leaf: Int) -> [Int] {
    let ids = leaves[leaf].ids
    let start = start(ofLeaf: leaf)
    return ids.indices.filter { ids[$0] == objectID }.map { start + $0 }
  }

  // MARK: - Following the list

  /// Brings the map to another version.
  ///
  /// After an error the map is of no use.
  ///
  /// - Parameters:
  ///   - changes: of the list, from the map's version to the other one; those of linked objects may
  ///     be among the modifications.
  ///   - snapshot: the other version.
  /// - Throws: `.corrupted` for damaged nodes.
  /// - Complexity: O(k log n) for k changes, but O(n) at most.
  package mutating func apply(
    _ changes: IndexChanges, to snapshot: Snapshot
  ) throws(StorageError) {
    if changes.isEmpty { return }
    let (gone, come) = (changes.deletions.count, changes.insertions.count)
    let list = ListDirectory(listID: listID, snapshot: snapshot, format: format)
    // One by one costs some ten times as much as reading.
    let isMuch = gone + come + changes.newModifications.count > 64 + list.count / 8
    guard !isMuch, count - gone + come == list.count else { return try read(snapshot) }
    for range in changes.deletions.ranges.reversed() {
      for index in range.reversed() { remove(at: index) }
    }
    for index in changes.insertions { insert(try object(list, index), at: index) }
    for index in changes.newModifications { replace(at: index, try object(list, index)) }
  }

  private func object(_ list: ListDirectory, _ index: Int) throws(StorageError) -> UInt64 {
    guard let id = list.bits(at: index) else {
      throw ListNodeReader(listID: listID, format: format, snapshot: list.snapshot).damaged()
    }
    return id
  }

  private mutating func read(_ snapshot: Snapshot) throws(StorageError) {
    var reader = ListNodeReader(listID: listID, format: format, snapshot: snapshot)
    var run = ListElementRun(try reader.leaves(below: try reader.root()), reader)
    var ids: [UInt64] = []
    while ids.count < run.count {
      let leaf = try run.span(at: ids.count).leaf
      for index in 0..<leaf.count { ids.append(leaf.bits64(at: index)) }
    }
    places = [:]
    placesOfRepeated = [:]
    places.reserveCapacity(ids.count)
    build(ids)
  }

  // MARK: - Which leaf an object is in

  mutating func note(_ objectID: UInt64, inLeaf leaf: Int) {
    let leaf = UInt32(leaf)
    guard let place = places[objectID] else {
      places[objectID] = leaf
      return
    }
    if place != Self.several {
      places[objectID] = Self.several
      placesOfRepeated[objectID] = [place: 1]
    }
    placesOfRepeated[objectID, default: [:]][leaf, default: 0] += 1
  }

  mutating func forget(_ objectID: UInt64, inLeaf leaf: Int) {
    guard places[objectID] == Self.several else {
      places[objectID] = nil
      return
    }
    var leaves = placesOfRepeated.removeValue(forKey: objectID) ?? [:]
    let left = (leaves[UInt32(leaf)] ?? 0) - 1
    leaves[UInt32(leaf)] = left > 0 ? left : nil
    if leaves.count == 1, let only = leaves.first, only.value == 1 {
      places[objectID] = only.key
    } else {
      placesOfRepeated[objectID] = leaves
    }
  }
}
