import VarveEncoding
import VarveStorage

/// Walks the tables themselves and reports the entries that no row requires.
extension StoreCheck {
  // MARK: Indexes

  mutating func checkIndexEntries() {
    var indexes: [UInt32: (ClassSchema, StoredProperty)] = [:]
    for schema in schema.classes {
      for property in schema.properties where property.indexID != 0 {
        indexes[property.indexID] = (schema, property)
      }
    }
    var classIndexes: [UInt32: (name: String, count: Int)] = [:]
    for schema in schema.classes {
      for index in schema.indexes {
        classIndexes[index.id] = ("\(schema.name): \(index.description.text)", 0)
      }
    }
    forEachEntry(of: .indexes) { check, key, value in
      if check.readTextEntry(key, value) { return }
      check.report.indexEntryCount += 1
      var decoder = KeyDecoder(key)
      if let id = try? decoder.uint32(), classIndexes[id] != nil {
        classIndexes[id]?.count += 1
      } else {
        check.checkIndexEntry(key, value, indexes)
      }
    }
    finishTextIndex()
    for (id, count) in textWordCounts {
      classIndexes[id]?.count = count
      report.indexEntryCount += count
    }
    // Missing entries have already been reported. More entries than required mean that an entry has
    // no row.
    for (id, index) in classIndexes.sorted(by: { $0.key < $1.key }) {
      let needed = neededClassEntries[id] ?? 0
      if index.count > needed {
        note(.strayIndexEntry, index.name, "\(index.count) entries, rows require \(needed)")
      }
    }
  }

  private mutating func checkIndexEntry(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    _ indexes: [UInt32: (ClassSchema, StoredProperty)]
  ) {
    var decoder = KeyDecoder(key)
    guard let id = try? decoder.uint32(), let (schema, property) = indexes[id] else {
      return note(.strayIndexEntry, "indexes", "an entry of an unknown index")
    }
    let location = "\(schema.name).\(property.name)"
    let found =
      property.isPrimaryKey ? IndexKey.objectID(inValue: value) : IndexKey.objectID(atEndOf: key)
    guard let objectID = found else {
      return note(.strayIndexEntry, location, "an entry without an object")
    }
    do throws(Failure) {
      guard let current = try snapshot.value(schema, objectID, property) else {
        return note(.strayIndexEntry, location, "object number \(objectID) does not exist")
      }
      encodeIndexEntry(current, objectID, property)
      guard self.key.withUnsafeBytes({ $0.elementsEqual(key) }),
        entry.withUnsafeBytes({ $0.elementsEqual(value) })
      else {
        return note(
          .strayIndexEntry, location, "\(name(schema, objectID)) has the value \(current.text)")
      }
    } catch {
      note(.strayIndexEntry, location, error.message)
    }
  }

  // MARK: Backlinks

  mutating func checkBacklinks() {
    report.backlinkCount = snapshot.count(.backlinks)
    // Missing entries have already been reported. More entries than links mean that an entry has no
    // link.
    guard report.backlinkCount > neededBacklinks else { return }
    note(
      .strayBacklink, "backlinks",
      "\(report.backlinkCount) entries for \(neededBacklinks) links")
    forEachEntry(of: .backlinks) { check, key, _ in check.checkBacklink(key) }
  }

  /// Reports an entry whose target or origin does not exist, or whose to-one link refers to another
  /// object.
  private mutating func checkBacklink(_ bytes: UnsafeRawBufferPointer) {
    guard let link = try? BacklinkKey(decoding: bytes),
      let target = schema.schema(ofClass: link.targetClass),
      let origin = schema.schema(ofClass: link.originClass),
      let property = origin.property(id: link.originProperty)
    else { return note(.strayBacklink, "backlinks", "an entry of an unknown property") }
    let object = name(origin, link.originID)
    let location = place("\(object).\(property.name)")
    if snapshot.find(target.table, id: link.targetID) == nil {
      note(.strayBacklink, location, "\(target.name) \(link.targetID) does not exist")
    }
    guard snapshot.find(origin.table, id: link.originID) != nil else {
      return note(.strayBacklink, location, "the origin does not exist")
    }
    guard property.kind.collection == .none else { return }
    let value = (try? snapshot.value(origin, link.originID, property)) ?? nil
    if value != .link(classID: link.targetClass, objectID: link.targetID) {
      note(.strayBacklink, location, "the link refers to \(value?.text ?? "nothing")")
    }
  }

  // MARK: Collections

  mutating func checkCollectionRecords() {
    forEachEntry(of: .collections) { check, key, value in
      check.checkCollectionRecord(key, value)
    }
  }

  private mutating func checkCollectionRecord(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) {
    guard let id = try? CollectionRecord.decodeKey(key),
      let record = try? CollectionRecord(decoding: value)
    else { return note(.damagedCollection, "collections", "a record that does not decode") }
    // One with the id of a property's collection is not the expected record of a nested one.
    guard !collectionIDs.contains(id) else { return }
    note(
      .strayCollection, "collection \(id)",
      "object \(record.ownerObjectID) of class \(record.ownerClassID) does not refer to it")
  }

  mutating func checkListNodes() {
    let (count, needed) = (snapshot.count(.lists), neededEntries[.lists] ?? 0)
    // A missing node is found by the check of its list.
    guard count > needed else { return }
    note(.strayListNode, "lists", "\(count) nodes, \(needed) of them in lists")
    forEachEntry(of: .lists) { check, key, _ in
      guard let node = try? ListNodeKey(decoding: key),
        !check.snapshot.hasCollection(node.listID)
      else { return }
      check.note(.strayListNode, "list \(node.listID)", "node \(node.nodeID)")
    }
  }

  mutating func checkEntries() {
    for (table, name) in [(Table.dictionaries, "dictionaries"), (.sets, "sets")] {
      let (count, needed) = (snapshot.count(table), neededEntries[table] ?? 0)
      guard count > needed else { continue }
      note(.strayEntry, name, "\(count) entries, \(needed) of them in \(name)")
    }
  }

  // MARK: Blobs

  mutating func checkBlobs() {
    forEachEntry(of: .blobs) { check, key, _ in
      let chunk = try? BlobChunkKey(decoding: key)
      if let chunk, Int(chunk.offset) < check.blobs[chunk.blobID] ?? 0 { return }
      check.note(
        .strayBlob, "blob \(chunk?.blobID ?? 0)",
        "no value refers to the chunk at byte \(chunk?.offset ?? 0)")
    }
  }
}
