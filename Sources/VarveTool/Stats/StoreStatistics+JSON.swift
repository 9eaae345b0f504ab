import VarveJSONLines

extension StoreStatistics {
  /// The sizes as a JSON object on one line.
  var json: String {
    JSONWriter.object { json in
      json.array("tables", tables) { json, size in
        json.beginObject()
        json.member("name", size.name)
        json.member("entries", size.entryCount)
        json.member("contentBytes", size.contentBytes)
        json.member("pageBytes", size.pageBytes)
        json.endObject()
      }
      json.array("classes", classes) { json, size in
        json.beginObject()
        json.member("name", size.name)
        json.member("objects", size.objectCount)
        json.member("rowBytes", size.rowBytes)
        json.member("longValues", size.blobCount)
        json.member("longValueBytes", size.blobBytes)
        json.member("inlineCollections", size.inlineCollectionCount)
        json.member("outsideCollections", size.outsideCollectionCount)
        json.member("elements", size.elementCount)
        json.endObject()
      }
      json.array("largestObjects", largestObjects) { $0.write($1, "bytes") }
      json.array("largestCollections", largestCollections) { $0.write($1, "elements") }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ item: StoreStatistics.Item, _ size: String) {
    beginObject()
    member("class", item.className)
    identity(item.primaryKey, item.objectID)
    if let property = item.property { member("property", property) }
    member(size, item.size)
    endObject()
  }
}
