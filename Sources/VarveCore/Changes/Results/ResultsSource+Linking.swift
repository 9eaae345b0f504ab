import VarveEncoding
import VarveStorage

extension ResultsSource {
  /// Returns the changes of the objects that link to a target.
  ///
  /// Linking objects are in the order of their ids, each repeated once for each of its links.
  ///
  /// - Returns: nil if the elements are not the elements of the old version.
  func linkingChanges(
    _ source: LinkingSource, _ elements: PositionedElements, _ schema: ClassSchema,
    _ difference: VersionDifference
  ) throws(Failure) -> Changes? {
    var changes = Changes()
    guard !source.isRolledBack,
      difference.old.mayDiffer(from: difference.new, in: .backlinks),
      let target = difference.schema.schema(named: source.model.name),
      let property = schema.property(named: source.originPropertyName)
    else { return changes }
    let key = RowKey(classID: target.id, objectID: source.id)
    for origin in try changedOrigins(of: key, schema, property, difference) {
      let end = elements.elements.firstIndex { $0.id <= origin.id }
      let start = end - origin.removed
      guard start >= 0, origin.removed == 0 || elements.elements[start].id == origin.id else {
        return nil
      }
      let stayed = min(origin.removed, origin.added)
      changes.deletions.append(start + stayed..<end)
      let new = end + changes.insertions.count - changes.deletions.count
      changes.insertions.append(new..<new + origin.added - stayed)
      changes.objects += repeatElement(origin.id, count: origin.added - stayed)
    }
    return changes
  }

  /// An object whose links to the target were added or removed.
  private struct Origin {
    let id: UInt64
    /// The number of links in the old values of the changed entries.
    var removed = 0
    /// The number of links in the new values of the changed entries.
    var added = 0
  }

  /// Returns the objects whose links to one object were added or removed, ascending.
  private func changedOrigins(
    of target: RowKey, _ schema: ClassSchema, _ property: StoredProperty,
    _ difference: VersionDifference
  ) throws(Failure) -> [Origin] {
    var prefix = OrderedKey()
    BacklinkKey.begin(
      &prefix, targetClass: target.classID, targetID: target.objectID, originClass: schema.id,
      originProperty: property.id)
    var origins: [Origin] = []
    try prefix.withPrefixRange { (range) throws(Failure) in
      var entries = try difference.old.differences(to: difference.new, in: .backlinks, range)
      while let entry = try entries.nextEntry() {
        let old = try entry.old.map { (value) throws(Failure) in
          try IncomingLink(entry.key, value)
        }
        let new = try entry.new.map { (value) throws(Failure) in
          try IncomingLink(entry.key, value)
        }
        guard let id = (new ?? old)?.key.originID else { continue }
        if origins.last?.id != id { origins.append(Origin(id: id)) }
        origins[origins.count - 1].removed += old?.count ?? 0
        // The ids are read to validate the count: it must not exceed the links in the property.
        let links = try difference.new.originIDs(of: new.map { [$0] } ?? [], schema, property)
        origins[origins.count - 1].added += links.count
      }
    }
    return origins
  }
}
