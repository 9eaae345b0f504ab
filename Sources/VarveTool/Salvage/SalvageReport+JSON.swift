import Varve
import VarveJSONLines

extension Realm.SalvageReport {
  /// The report as a JSON object on one line.
  var json: String {
    JSONWriter.object { json in
      json.member("complete", isComplete)
      json.member("rescued", rescuedCount)
      json.member("lost", lostCount)
      json.objects("classes", classes) { json, count in
        json.member("name", count.name)
        json.member("rescued", count.rescued)
        json.member("lost", count.lost)
      }
      json.objects("lostObjects", lostObjects) { json, object in
        json.member("class", object.className)
        json.member("key", object.key)
        json.member("reason", object.reason.description)
        json.member("detail", object.detail)
      }
      json.objects("lostClasses", lostClasses) { json, lost in
        json.member("name", lost.name)
        json.member("objects", orNull: lost.objectCount)
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
