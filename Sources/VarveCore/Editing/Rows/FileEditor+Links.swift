import VarveEncoding
package import VarveStorage

/// The links to an object are counted entries in `backlinks`: one per origin object and property,
/// and one per nested collection.
extension FileEditor {
  /// Increments or decrements the count of the links from `origin` to `target`.
  ///
  /// - Throws: `.alreadyEmbedded` for a second link to an embedded object.
  func changeBacklink(
    target: RowKey, origin: RowKey, property: UInt32, nested: UInt64 = 0, by change: Int
  ) throws(Failure) {
    if _slowPath(isEmbedded(target)) {
      try noteParent(of: target, isAttached: change > 0, origin: origin, property: property)
    }
    BacklinkKey(
      targetClass: target.classID, targetID: target.objectID, originClass: origin.classID,
      originProperty: property, originID: origin.objectID, nestedID: nested
    ).encode(into: &scratchKey)
    let old = try format { () throws(FormatError) in
      try scratchKey.withUnsafeBytes { (key) throws(FormatError) in
        try storage.find(.backlinks, key: key).map { (value) throws(FormatError) in
          Int(try BacklinkKey.decodeCount(value))
        } ?? 0
      }
    }
    let new = old + change
    if new <= 0 {
      if old > 0 { try deleteScratchKey(.backlinks) }
      return
    }
    scratchValue.removeAll()
    BacklinkKey.encodeCount(UInt32(clamping: new), into: &scratchValue)
    try putScratch(.backlinks)
  }

  /// Adds the count of the links from a new object, or in a new collection, to an object that is
  /// not embedded: they have no entry yet.
  func enterBacklink(
    target: RowKey, origin: RowKey, property: UInt32, count: Int
  ) throws(Failure) {
    BacklinkKey(
      targetClass: target.classID, targetID: target.objectID, originClass: origin.classID,
      originProperty: property, originID: origin.objectID
    ).encode(into: &scratchKey)
    scratchValue.removeAll()
    BacklinkKey.encodeCount(UInt32(clamping: count), into: &scratchValue)
    try putScratch(.backlinks)
  }

  /// Updates the count for the value of a property, if the value is a link.
  func changeBacklink(
    of value: Value, in property: StoredProperty, _ owner: RowKey, by change: Int
  ) throws(Failure) {
    guard case .link(let classID, let target) = value else { return }
    try changeBacklink(
      target: RowKey(classID: property.targetClassID ?? classID, objectID: target), origin: owner,
      property: property.id, by: change)
  }

  /// Returns the links to an object.
  func incomingLinks(to target: RowKey) throws(Failure) -> [IncomingLink] {
    try storage.incomingLinks(to: target)
  }
}

extension TableReader {
  /// Returns the links to an object, by origin class, property and object.
  ///
  /// `originClassID`: limits the links to one origin class.
  /// `propertyID`: limits them to one property of that class.
  /// - Complexity: O(links to the object).
  package func incomingLinks(
    to target: RowKey, from originClassID: UInt32? = nil, property propertyID: UInt32? = nil
  ) throws(Failure) -> [IncomingLink] {
    var links: [IncomingLink] = []
    var walk = IncomingLinkReader(self)
    try walk.forEach(to: target, from: originClassID, property: propertyID) { links.append($0) }
    return links
  }

  /// Returns the origins of links, each repeated once for each of its links.
  ///
  /// `schema`, `property`: the class and property of the links.
  /// - Throws: `.corrupted` for a count greater than the property's number of links; no memory is
  ///   allocated for such a count.
  /// - Complexity: O(links), plus one lookup for each object that links more than once.
  func originIDs(
    of links: [IncomingLink], _ schema: ClassSchema, _ property: StoredProperty
  ) throws(Failure) -> [UInt64] {
    var ids: [UInt64] = []
    for link in links {
      if link.count > 1 {
        let content = try collectionContent(schema, link.key.originID, property)
        guard property.kind.collection != .none, let content, link.count <= content.count else {
          throw Failure(
            .corrupted, "A backlink's count exceeds the number of links.", className: schema.name,
            propertyName: schema.declaredName(of: property))
        }
      }
      ids.append(contentsOf: repeatElement(link.key.originID, count: link.count))
    }
    return ids
  }
}

extension IncomingLink {
  /// Returns the collection that contains the link, or nil for a to-one link.
  ///
  /// - Parameter property: The property of the link.
  func collectionKey(_ property: StoredProperty) -> CollectionKey? {
    if property.kind.collection == .none, key.nestedID == 0 { return nil }
    return CollectionKey(
      owner: origin, propertyID: key.originProperty, nestedID: key.nestedID)
  }
}
