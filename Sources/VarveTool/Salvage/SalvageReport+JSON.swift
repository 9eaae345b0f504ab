import Varve
import VarveJSONLines

extension Realm.SalvageReport {
  /// The report as a JSON object on one line.
  var json: String {
    JSONWriter.object { json in
      json.member("complete", isComplete)
      json.member("rescued", rescuedCount)
      json.member("lost", lostCount)
      json.array("classes", classes) { json, count in
        json.beginObject()
        json.member("name", count.name)
        json.member("rescued", count.rescued)
        json.member("lost", count.lost)
        json.endObject()
      }
      json.array("lostObjects", lostObjects) { json, object in
        json.beginObject()
        json.member("class", object.className)
        json.member("key", object.key)
        json.member("reason", object.reason.description)
        json.member("detail", object.detail)
        json.endObject()
      }
      json.array("lostClasses", lostClasses) { json, lost in
        json.beginObject()
        json.member("name", lost.name)
        json.member("objects", orNull: lost.objectCount)
        json.endObject()
      }
      json.array("lostProperties", lostProperties)
      json.member("lostValues", lostValueCount)
      json.member("lostElements", lostElementCount)
      json.member("lostLinks", lostLinkCount)
      json.member("damagedPages", damagedPageCount)
      json.member("dataMissing", isDataMissing)
      json.member("unreadableBytes", unreadableByteCount)
      json.member("metaPageDamaged", isMetaPageDamaged)
      json.member("earlierVersion", isEarlierVersion)
    }
  }
}
