import VarveStorage

/// A read in the table, which does not keep it.
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

/// Tracked reads that were all compared up to the same version: in none after the one that was read did they
/// differ.
///
/// They are kept by class, so that those of a class in which nothing changed cost nothing.
struct TrackedReadBatch {
  /// The reads of one class.
  struct ClassReads {
    let model: ClassDescription
    /// The reads of single objects.
    var ofObjects: [TrackedKey: TrackedReadEntry] = [:]
    /// The reads that ask which objects there are.
    var ofClass: [TrackedKey: TrackedReadEntry] = [:]

    var isEmpty: Bool { ofObjects.isEmpty && ofClass.isEmpty }

    subscript(key: TrackedKey) -> TrackedReadEntry? {
      get { key.isOfObject ? ofObjects[key] : ofClass[key] }
      set { if key.isOfObject { ofObjects[key] = newValue } else { ofClass[key] = newValue } }
    }
  }

  /// Names the batch for as long as nothing but removals happens to it.
  private(set) var number: Int
  private(set) var known: Snapshot
  /// Whether a comparison has begun. What is read from then on enters another batch.
  var isSealed = false
  private(set) var count = 0
  private(set) var classes: [Int: ClassReads] = [:]
  private(set) var results: [TrackedKey: TrackedReadEntry] = [:]

  init(_ number: Int, knownAt known: Snapshot) {
    self.number = number
    self.known = known
  }

  /// Notes that the reads were compared up to a version, under a new number.
  mutating func renew(_ number: Int, knownAt known: Snapshot) {
    self.number = number
    self.known = known
    isSealed = false
  }

  /// Adds the reads of another batch, which are others.
  ///
  /// - Complexity: O(reads of the other batch).
  mutating func add(_ other: TrackedReadBatch) {
    for (key, entry) in other.results { add(entry, key, nil) }
    for reads in other.classes.values {
      for (key, entry) in reads.ofObjects { add(entry, key, reads.model) }
      for (key, entry) in reads.ofClass { add(entry, key, reads.model) }
    }
  }

  /// The entry of a key.
  func entry(_ key: TrackedKey) -> TrackedReadEntry? {
    guard let model = key.model else { return results[key] }
    return classes[model]?[key]
  }

  /// Adds an entry whose key is in none.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - key: its key.
  ///   - model: the class, for a key that is of one class.
  mutating func add(_ entry: TrackedReadEntry, _ key: TrackedKey, _ model: ClassDescription?) {
    count += 1
    if let index = key.model, let model {
      classes[index, default: ClassReads(model: model)][key] = entry
    } else {
      results[key] = entry
    }
  }

  /// Takes an entry out.
  ///
  /// - Precondition: the key is in the batch.
  mutating func remove(_ key: TrackedKey) {
    count -= 1
    guard let index = key.model else { return results[key] = nil }
    classes[index]?[key] = nil
    if classes[index]?.isEmpty ?? false { classes[index] = nil }
  }

  /// All reads, in no order.
  var reads: [TrackedRead] {
    let entries = classes.values.flatMap { Array($0.ofObjects.values) + Array($0.ofClass.values) }
    return (entries + results.values).compactMap(\.read)
  }

  /// The reads of a class that may differ.
  ///
  /// - Parameters:
  ///   - model: the index of the class.
  ///   - changes: the objects of the class that differ; nil: every read may.
  ///   - keyID: the property with the primary key.
  /// - Returns: the reads, in no order.
  /// - Complexity: O(changes · properties), and O(reads that ask which objects there are) if there are others.
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
  /// The class that the read is of; nil for those that may depend on several.
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

  /// Whether there may be other objects than before, or objects with other primary keys.
  fileprivate func mayChangeMembers(_ keyID: UInt32?) -> Bool {
    if !inserted.isEmpty || !deleted.isEmpty { return true }
    guard let keyID else { return false }
    return modified.contains { $0.propertyIDs.contains(keyID) }
  }
}
