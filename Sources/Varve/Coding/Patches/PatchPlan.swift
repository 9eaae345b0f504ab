import VarveCore
import VarveEncoding

/// The objects that documents change, found and checked before the first change.
///
/// Thread safety: none. A plan is used within one call.
struct PatchPlan {
  /// A linked object, or the object of a document, identified by its key.
  struct Target: Hashable {
    private let type: ObjectIdentifier
    private let key: Value

    init(_ type: ObjectBase.Type, _ key: Value) {
      self.type = ObjectIdentifier(type)
      self.key = key
    }
  }

  /// An object and the documents about it.
  struct Entry {
    let type: ObjectBase.Type
    let key: Value
    var documents: [PatchDocument]
    /// Nil for a new object.
    var object: ObjectBase?
    /// The index of the first document that contains it.
    let position: Int?
  }

  /// The realm that is written to; nil while an unmanaged object is changed.
  let realm: Realm?
  /// The objects with primary keys, in the order of their first documents.
  private(set) var entries: [Entry] = []
  /// The documents about them, each with the index of its entry, in the order in which they are
  /// applied: a document comes before the documents that are nested in it.
  private(set) var steps: [(entry: Int, document: PatchDocument)] = []
  private var indexes: [Target: Int] = [:]
  private var references: [(type: ObjectBase.Type, key: Value, owner: String, position: Int?)] = []
  /// The index of the document that is being collected; nil for a single one.
  private var position: Int?

  init(for realm: Realm?) { self.realm = realm }

  func index(of type: ObjectBase.Type, _ key: Value) -> Int? { indexes[Target(type, key)] }

  /// Collects a document about an object that is known.
  mutating func collect(_ document: PatchDocument, about object: ObjectBase) throws(Failure) {
    let info = object.info
    if let slot = info.description.primaryKeySlot,
      let key = info.properties[slot].read(object, slot).value
    {
      enter(document, key, object)
    }
    try collectProperties(of: document, object)
    try check()
  }

  /// Collects documents that identify their objects by primary keys.
  mutating func collect(_ documents: [PatchDocument]) throws(Failure) {
    for (index, document) in documents.enumerated() {
      position = documents.count > 1 ? index : nil
      guard document.info.description.primaryKeySlot != nil else {
        throw Failure(
          .noPrimaryKey, "The class has no primary key to find its objects by.",
          className: document.info.name)
      }
      do throws(Failure) {
        try collect(linked: document, nil)
      } catch {
        throw error.naming(position)
      }
    }
    try check()
  }

  private mutating func enter(
    _ document: PatchDocument, _ key: Value, _ object: ObjectBase?
  ) {
    if let index = index(of: document.type, key) {
      entries[index].documents.append(document)
      steps.append((index, document))
    } else {
      indexes[Target(document.type, key)] = entries.count
      steps.append((entries.count, document))
      entries.append(
        Entry(
          type: document.type, key: key, documents: [document], object: object, position: position))
    }
  }

  /// Collects the document of a linked object.
  ///
  /// - Parameter current: The object that an unmanaged object links to.
  private mutating func collect(
    linked document: PatchDocument, _ current: ObjectBase?
  ) throws(Failure) {
    guard let key = document.key else {
      guard document.missing.isEmpty else { throw document.missingFailure(document.missing) }
      return try collectProperties(of: document, nil)
    }
    let known = index(of: document.type, key).map { entries[$0].object }
    let object =
      known ?? realm?.find(document.type, key) ?? current.flatMap { $0.has(key) ? $0 : nil }
    enter(document, key, object)
    try collectProperties(of: document, object)
  }

  /// - Parameter object: The object before the change; nil for a new one.
  private mutating func collectProperties(
    of document: PatchDocument, _ object: ObjectBase?
  ) throws(Failure) {
    for (slot, content) in document.properties {
      let property = document.info.properties[slot]
      switch content {
      case .value, .nothing: break
      case .reference, .document:
        let hasObject = property.type.kind.collection == .none && property.type.target != nil
        let current = hasObject ? object.flatMap { property.read($0, slot).object } : nil
        try collect(content, property, current)
      case .elements(let elements):
        for element in elements { try collect(element, property, nil) }
      case .entries(let entries):
        let map = object.flatMap { property.map(of: $0) }
        for (key, content) in entries {
          guard let content else { continue }
          try collect(content, property, map?.box(forKey: key)?.object)
        }
      }
    }
  }

  /// - Parameter current: The object that the content replaces.
  private mutating func collect(
    _ content: PatchContent, _ property: PropertyDescriptor, _ current: ObjectBase?
  ) throws(Failure) {
    switch content {
    case .value, .nothing: break
    case .reference(let type, let key): references.append((type, key, property.name, position))
    case .document(let document) where document.isEmbedded:
      let current = document.isMerged ? current : nil
      guard current != nil || document.missing.isEmpty else {
        throw document.missingFailure(document.missing)
      }
      try collectProperties(of: document, current)
    case .document(let document): try collect(linked: document, realm == nil ? current : nil)
    // Lists and dictionaries in a mixed value.
    case .elements(let elements):
      for element in elements { try collect(element, property, nil) }
    case .entries(let entries):
      for (_, content) in entries {
        if let content { try collect(content, property, nil) }
      }
    }
  }

  /// Checks that new objects have all values that they require, and that references have objects.
  private func check() throws(Failure) {
    for entry in entries where entry.object == nil {
      // Without a realm, a document that has only the key refers to an object of some realm.
      if realm == nil, entry.documents.allSatisfy(\.isReference) { continue }
      let missing = entry.documents.map { Set($0.missing) }
        .reduce(Set(entry.documents[0].missing)) { $0.intersection($1) }
      guard missing.isEmpty else {
        throw entry.documents[0].missingFailure(missing.sorted()).naming(entry.position)
      }
    }
    guard let realm else { return }
    for (type, key, owner, position) in references
    where index(of: type, key) == nil && realm.find(type, key) == nil {
      throw Failure(
        .invalidInput, "The realm has no object with the key that the document refers to.",
        className: ClassInfo.of(type).name, value: key.text, details: ["referred to by '\(owner)'"]
      ).naming(position)
    }
  }
}

extension Realm {
  /// Returns the object of a class with a primary key; nil when there is none.
  func find(_ type: ObjectBase.Type, _ key: Value) -> ObjectBase? {
    guard let found = context.findObject(ClassInfo.description(of: type), primaryKey: key) else {
      return nil
    }
    let object = type.init()
    found.attach(object.handle)
    return object
  }
}

extension ObjectBase {
  /// Whether the object is unmanaged and has a primary key.
  fileprivate func has(_ key: Value) -> Bool {
    guard !handle.isManaged, let slot = info.description.primaryKeySlot else { return false }
    return unmanagedBox(slot).value == key
  }
}

extension Failure {
  /// Returns the failure with the index of the document that it was found in.
  fileprivate func naming(_ position: Int?) -> Failure {
    guard let position else { return self }
    let text = "document \(position)"
    guard !details.contains(text) else { return self }
    var failure = self
    failure.details.append(text)
    return failure
  }
}
