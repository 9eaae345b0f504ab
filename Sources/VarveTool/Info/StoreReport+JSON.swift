import Foundation
import VarveJSONLines

extension StoreReport {
  /// The report as a JSON object on one line.
  var json: String {
    JSONWriter.object { json in
      json.member("path", path)
      json.member("bytesOnDisk", bytesOnDisk)
      json.member("liveBytes", space.live)
      json.member("freeBytes", space.free)
      json.member("pinnedBytes", space.pinned)
      json.member("format", formatVersion)
      json.member("schemaVersion", schemaVersion)
      json.member("version", commit)
      json.member("history", incarnation)
      json.objects("classes", classes) { $0.members(of: $1) }
      if !tables.isEmpty { json.objects("tables", tables) { $0.members(of: $1) } }
      if knowsReaders {
        json.objects("readers", readers) { $0.members(of: $1) }
      } else {
        json.member("readers", orNull: nil as Int?)
      }
    }
  }
}

extension StoreReport.Reader {
  /// The reader as a JSON object on one line.
  var json: String { JSONWriter.object { $0.members(of: self) } }
}

extension JSONWriter {
  fileprivate mutating func members(of summary: StoreReport.ClassSummary) {
    member("name", summary.name)
    member("embedded", if: summary.isEmbedded)
    member("objects", summary.objectCount)
    objects("properties", summary.properties) { json, property in
      json.member("name", property.name)
      json.member("type", property.type)
      json.member("primaryKey", if: property.isPrimaryKey)
      json.member("autoIncrement", if: property.isAutoIncremented)
      json.member("indexed", if: property.isIndexed)
    }
    array("indexes", summary.indexes)
  }

  fileprivate mutating func members(of table: StoreReport.Table) {
    member("name", table.name)
    member("entries", table.entryCount)
    member("bytes", table.bytes)
  }

  fileprivate mutating func members(of reader: StoreReport.Reader) {
    member("process", reader.process)
    if let distance = reader.distance { member("behind", distance) }
    if let age = reader.age { member("seconds", age) }
    member("pinnedBytes", reader.pinnedBytes)
    member("writes", if: reader.isWriting)
  }
}
