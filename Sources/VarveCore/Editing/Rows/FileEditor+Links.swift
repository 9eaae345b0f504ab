import VarveEncoding
package import VarveStorage

/// The links that point at an object are counted entries in `backlinks`: per origin object and
/// property, and for collections per collection.
extension FileEditor {
  /// Counts a link from `origin` to `target` up or down.
  ///
  /// - Throws: `.alreadyEmbedded` for a second link to an embedded object.
  func changeBacklink(
    target: RowKey, origin: RowKey, property: UInt32, collection: UInt64, by change: Int
  ) throws(Failure) {
    if _slowPath(isEmbedded(target)) {
      try notePlace(of: target, isTaken: change > 0, origin: origin, property: property)
    }
    BacklinkKey(
      targetClass: target.classID, targetID: target.objectID, originClass: origin.classID,
      originProperty: property, originID: origin.objectID, collectionID: collection
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

  /// Counts links from an object that is new, or in a collection that is, to one that is not embedded: there is no
  /// entry for them.
  func enterBacklink(
    target: RowKey, origin: RowKey, property: UInt32, collection: UInt64, count: Int
  ) throws(Failure) {
    BacklinkKey(
      targetClass: target.classID, targetID: target.objectID, originClass: origin.classID,
      originProperty: property, originID: origin.objectID, collectionID: collection
    ).encode(into: &scratchKey)
    scratchValue.removeAll()
    BacklinkKey.encodeCount(UInt32(clamping: count), into: &scratchValue)
    try putScratch(.backlinks)
  }

  /// Counts the link that the value of a property may be.
  func changeBacklink(
    of value: Value, in property: StoredProperty, _ owner: RowKey, by change: Int
  ) throws(Failure) {
    guard case .link(let classID, let target) = value else { return }
    try changeBacklink(
      target: RowKey(classID: property.targetClassID ?? classID, objectID: target), origin: owner,
      property: property.id, collection: 0, by: change)
  }

  /// The links that point at an object.
  func incomingLinks(to target: RowKey) throws(Failure) -> [IncomingLink] {
    try storage.incomingLinks(to: target)
  }
}

extension TableReader {
  /// The links that point at an object, by origin class, property and object.
  ///
  ///
  /// `originClassID`: limits the links to those from one class.
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

  /// The objects that links come from, each as often as it links.
  ///
  /// `schema`, `property`: where the links stand.
  /// - Throws: `.corrupted` for a count that the property cannot hold; no memory is asked for by it.
  /// - Complexity: O(links), and a look-up for each object that links more than once.
  func originIDs(
    of links: [IncomingLink], _ schema: ClassSchema, _ property: StoredProperty
  ) throws(Failure) -> [UInt64] {
    var ids: [UInt64] = []
    for link in links {
      if link.count > 1 {
        let slot = try collectionSlot(schema, link.key.originID, property)
        guard property.kind.collection != .none, let slot, link.count <= slot.count else {
          throw Failure(
            .corrupted, "A backlink counts more links than there are.", className: schema.name,
            propertyName: property.name)
        }
      }
      ids.append(contentsOf: repeatElement(link.key.originID, count: link.count))
    }
    return ids
  }
}
