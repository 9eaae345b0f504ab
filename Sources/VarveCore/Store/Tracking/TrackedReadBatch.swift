import VarveStorage

/// A weak reference to a read in the table.
///
/// A class: in a struct, a weak reference behind an optional chain crashes (Swift 6.3.1).
final class TrackedReadEntry: Sendable {
  weak let read: TrackedRead?
  let identity: ObjectIdentifier

  init(_ read: TrackedRead) {
    self.read = read
    identity = ObjectIdentifier(read)
  }
}

/// Tracked reads that were all compared up to the same version. None of them differs between the
/// version that was read and that version.
///
/// They are grouped by class, so that reads of an unchanged class cost nothing.
struct TrackedReadBatch {
  /// The reads of one class.
  struct ClassReads {
    let model: ClassDescription
    /// The reads of single objects.
    var ofObjects: [TrackedKey: TrackedReadEntry] = [:]
    /// The reads of the set of objects.
    var ofClass: [TrackedKey: TrackedReadEntry] = [:]

    var isEmpty: Bool { ofObjects.isEmpty && ofClass.isEmpty }

    subscript(key: TrackedKey) -> TrackedReadEntry? {
      get { key.isOfObject ? ofObjects[key] : ofClass[key] }
      set { if key.isOfObject { ofObjects[key] = newValue } else { ofClass[key] = newValue } }
    }
  }

  /// Identifies the batch for as long as it changes only by removals.
  private(set) var number: Int
  private(set) var base: Snapshot
  /// Whether a comparison has begun. Later reads enter another batch.
  var isSealed = false
  private(set) var count = 0
  private(set) var classes: [Int: ClassReads] = [:]
  private(set) var results: [TrackedKey: TrackedReadEntry] = [:]

  init(_ number: Int, comparedAt base: Snapshot) {
    self.number = number
    self.base = base
  }

  /// Records that the reads were compared up to a version, under a new number.
  mutating func renew(_ number: Int, comparedAt base: Snapshot) {
    self.number = number
    self.base = base
    isSealed = false
  }

  /// Adds the reads of another batch, which has no key in common with this one.
  ///
  /// - Complexity: O(reads of the other batch).
  mutating func add(_ other: TrackedReadBatch) {
    for (key, entry) in other.results { add(entry, key, nil) }
    for reads in other.classes.values {
      for (key, entry) in reads.ofObjects { add(entry, key, reads.model) }
      for (key, entry) in reads.ofClass { add(entry, key, reads.model) }
    }
  }

  /// Returns the entry of a key.
  func entry(_ key: TrackedKey) -> TrackedReadEntry? {
    guard let model = key.model else { return results[key] }
    return classes[model]?[key]
  }

  /// Adds an entry whose key is not in the batch.
  ///
  /// - Parameter model: The class, for a key of a single class.
  mutating func add(_ entry: TrackedReadEntry, _ key: TrackedKey, _ model: ClassDescription?) {
    count += 1
    if let index = key.model, let model {
      classes[index, default: ClassReads(model: model)][key] = entry
    } else {
      results[key] = entry
    }
  }

  /// Removes an entry.
  ///
  /// - Precondition: The key is in the batch.
  mutating func remove(_ key: TrackedKey) {
    count -= 1
    guard let index = key.model else { return results[key] = nil }
    classes[index]?[key] = nil
    if classes[index]?.isEmpty ?? false { classes[index] = nil }
  }

  /// All reads, in no particular order.
  var reads: [TrackedRead] {
    let entries = classes.values.flatMap { Array($0.ofObjects.values) + Array($0.ofClass.values) }
    return (entries + results.values).compactMap(\.read)
  }

  /// Returns the reads of a class that may differ.
  ///
  /// - Parameters:
  ///   - model: The index of the class.
  ///   - changes: The objects of the class that differ, or nil when every read may differ.
  ///   - keyID: The property with the primary key.
  /// - Returns: The reads, in no particular order.
  /// - Complexity: O(changes · properties), and O(reads of the set of objects) if that set or the
  ///   primary keys may have changed.
  func reads(
    ofClass model: Int, touchedBy changes: ObjectChanges?, _ keyID: UInt32?
  ) -> [TrackedRead] {
    guard let reads = classes[model] else { return [] }
    guard let changes else {
      return reads.ofObjects.values.compactMap(\.read) + reads.ofClass.values.compactMap(\.read)
    }
    var found: [TrackedRead] = []
    let slots = reads.model.properties.indices
    if changes.count <= reads.ofObjects.count / (slots.count + 1) {
      changes.forEachID { id in
        if let read = reads.ofObjects[.existence(model: model, id: id)]?.read { found.append(read) }
        for slot in slots {
          let key = TrackedKey.property(model: model, slot: slot, id: id)
          if let read = reads.ofObjects[key]?.read { found.append(read) }
        }
      }
    } else {
      found += reads.ofObjects.values.compactMap(\.read)
    }
    if !reads.ofClass.isEmpty, changes.mayChangeMembers(keyID) {
      found += reads.ofClass.values.compactMap(\.read)
    }
    return found
  }
}

extension TrackedKey {
  /// The class of the read, or nil for a read that may depend on several.
  fileprivate var model: Int? {
    switch self {
    case .property(let model, _, _), .existence(let model, _), .primaryKey(let model, _),
      .allObjects(let model):
      model
    case .results: nil
    }
  }

  /// Whether the read is of one object.
  fileprivate var isOfObject: Bool {
    switch self {
    case .property, .existence: true
    case .primaryKey, .allObjects, .results: false
    }
  }
}

extension ObjectChanges {
  fileprivate var count: Int { inserted.count + deleted.count + modified.count }

  fileprivate func forEachID(_ body: (UInt64) -> Void) {
    inserted.forEach(body)
    deleted.forEach(body)
    for modification in modified { body(modification.id) }
  }

  /// Whether the set of objects, or their primary keys, may have changed.
  fileprivate func mayChangeMembers(_ keyID: UInt32?) -> Bool {
    if !inserted.isEmpty || !deleted.isEmpty { return true }
    guard let keyID else { return false }
    return modified.contains { $0.propertyIDs.contains(keyID) }
  }
}
