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
      json.array("classes", classes) { $0.write($1) }
      if !tables.isEmpty { json.array("tables", tables) { $0.write($1) } }
      if knowsReaders {
        json.array("readers", readers) { $0.write($1) }
      } else {
        json.member("readers", orNull: nil as Int?)
      }
    }
  }
}

extension StoreReport.Reader {
  /// The reader as a JSON object on one line.
  var json: String { JSONWriter.text { $0.write(self) } }
}

extension JSONWriter {
  fileprivate mutating func write(_ summary: StoreReport.ClassSummary) {
    beginObject()
    member("name", summary.name)
    member("embedded", if: summary.isEmbedded)
    member("objects", summary.objectCount)
    array("properties", summary.properties) { json, property in
      json.beginObject()
      json.member("name", property.name)
      json.member("type", property.type)
      json.member("primaryKey", if: property.isPrimaryKey)
      json.member("autoIncrement", if: property.isAutoIncremented)
      json.member("indexed", if: property.isIndexed)
      json.endObject()
    }
    array("indexes", summary.indexes)
    endObject()
  }

  fileprivate mutating func write(_ table: StoreReport.Table) {
    beginObject()
    member("name", table.name)
    member("entries", table.entryCount)
    member("bytes", table.bytes)
    endObject()
  }

  fileprivate mutating func write(_ reader: StoreReport.Reader) {
    beginObject()
    member("process", reader.process)
    if let distance = reader.distance { member("behind", distance) }
    if let age = reader.age { member("seconds", age) }
    member("pinnedBytes", reader.pinnedBytes)
    member("writes", if: reader.isWriting)
    endObject()
  }
}
