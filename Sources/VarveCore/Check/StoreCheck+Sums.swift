import VarveEncoding
import VarveStorage

/// The walk without look-ups.
extension StoreCheck {
  /// Adds up the stored entries that depend on the rows.
  mutating func addStoredEntries() {
    forEachEntry(of: .indexes) { check, key, value in
      if !check.readTextEntry(key, value) { check.stored.indexes.insert(key, value) }
    }
    finishTextIndex()
    report.indexEntryCount = stored.indexes.count
    forEachEntry(of: .collections) { check, key, value in
      check.stored.collections.insert(key, value)
    }
    addBacklinks()
    report.backlinkCount = stored.backlinks.count
  }

  /// Reports what a walk without look-ups found, if this walk was finished and found nothing.
  mutating func noteDifferences(of first: StoreCheck) {
    guard stop == nil, report.isSound else { return }
    for problem in first.report.problems { note(problem.kind, problem.place, problem.detail) }
    // A walk that found a problem has not added up everything.
    guard report.isSound else { return }
    let (required, stored) = (first.required, first.stored)
    noteDifference(.strayIndexEntry, "indexes", required.indexes, stored.indexes)
    noteDifference(.strayIndexEntry, "outdated words", required.outdated, stored.outdated)
    noteDifference(.strayBacklink, "backlinks", required.backlinks, stored.backlinks)
    noteDifference(.strayCollection, "collections", required.collections, stored.collections)
  }

  private mutating func noteDifference(
    _ kind: Problem.Kind, _ table: String, _ required: EntrySum, _ stored: EntrySum
  ) {
    guard required != stored else { return }
    note(
      kind, table,
      "\(stored.count) entries differ from the \(required.count) that the rows require")
  }

  /// Adds up the backlinks, and checks that their targets exist, and that each embedded object has
  /// one parent.
  private mutating func addBacklinks() {
    var links = snapshot.cursor(.backlinks)
    var rows = snapshot.cursor(.backlinks)
    var target: ClassSchema?
    var embeddedCounts: [UInt32: Int] = [:]
    while links.next(), advance() {
      stored.backlinks.insert(links.key, links.value)
      guard let link = try? BacklinkKey(decoding: links.key) else {
        return note(.strayBacklink, "", "an entry that does not decode")
      }
      if target?.id != link.targetClass {
        guard let next = schema.schema(ofClass: link.targetClass) else {
          return note(.strayBacklink, "", "an entry of an unknown class")
        }
        target = next
        rows = snapshot.cursor(next.table)
      }
      let isRepeated = rows.isOnEntry && rows.id == link.targetID
      guard isRepeated || rows.move(to: link.targetID) else {
        return note(.danglingLink, "", "an object that does not exist")
      }
      guard target?.record.isEmbedded == true else { continue }
      let count = try? BacklinkKey.decodeCount(links.value)
      if isRepeated || count != 1 { return note(.severalParents, "", "several owners") }
      embeddedCounts[link.targetClass, default: 0] += 1
    }
    for schema in schema.classes where schema.record.isEmbedded {
      if embeddedCounts[schema.id] ?? 0 != snapshot.count(schema.table) {
        note(.orphan, "", "an embedded object without an owner")
      }
    }
  }
}

extension EntryCursor {
  /// Moves to an entry of a table with integer keys; a later one is often a few entries away.
  ///
  /// - Returns: Whether there is such an entry.
  fileprivate mutating func move(to id: UInt64) -> Bool {
    if isOnEntry, self.id < id {
      for _ in 0..<4 where self.id < id { _ = next() }
      if isOnEntry, self.id == id { return true }
    }
    return seek(id: id) && self.id == id
  }
}

extension Snapshot {
  /// The number of entries of all tables that a check walks.
  var entryCount: Int {
    let tables = Table.fixed + (1..<root.nextClassID).map { Table.objects(ofClass: $0) }
    return tables.reduce(0) { sum, table in
      let (next, overflows) = sum.addingReportingOverflow(max(0, count(table)))
      return overflows ? sum : next
    }
  }
}
