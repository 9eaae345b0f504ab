import VarveJSONLines

extension StoreStatistics {
  /// The sizes as a JSON object on one line.
  var json: String {
    JSONWriter.object { json in
      json.objects("tables", tables) { json, size in
        json.member("name", size.name)
        json.member("entries", size.entryCount)
        json.member("contentBytes", size.contentBytes)
        json.member("pageBytes", size.pageBytes)
      }
      json.objects("classes", classes) { json, size in
        json.member("name", size.name)
        json.member("objects", size.objectCount)
        json.member("rowBytes", size.rowBytes)
        json.member("longValues", size.blobCount)
        json.member("longValueBytes", size.blobBytes)
        json.member("inlineCollections", size.inlineCollectionCount)
        json.member("outsideCollections", size.outsideCollectionCount)
        json.member("elements", size.elementCount)
      }
      json.objects("largestObjects", largestObjects) { $0.members(of: $1, "bytes") }
      json.objects("largestCollections", largestCollections) { $0.members(of: $1, "elements") }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(of item: StoreStatistics.Item, _ size: String) {
    member("class", item.className)
    identity(item.primaryKey, item.objectID)
    if let property = item.property { member("property", property) }
    member(size, item.size)
  }
}
