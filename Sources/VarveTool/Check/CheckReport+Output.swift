import Varve
import VarveJSONLines

extension Realm.CheckReport {
  /// The report for people: counts, pages, speed, and a line for each problem.
  func text(_ duration: Duration) -> String {
    let seconds = max(duration / .seconds(1), 1e-9)
    let speed =
      "\(Quantity.duration(duration)), \(Quantity.bytes(Int(Double(byteCount) / seconds)))/s"
    let result = isSound ? "No problems" : Quantity.count(problemCount, "problem")
    return "\(self)\n\(result) in \(speed)"
  }

  /// The report as a JSON object on one line.
  var json: String {
    JSONWriter.object { json in
      json.member("sound", isSound)
      json.member("pages", pageCount)
      json.member("pageSize", pageSize)
      json.member("bytes", byteCount)
      json.member("freePages", orNull: freePageCount)
      json.member("leakedPages", orNull: leakedPageCount)
      json.member("classes", classCount)
      json.member("objects", objectCount)
      json.member("indexEntries", indexEntryCount)
      json.member("links", linkCount)
      json.member("collections", collectionCount)
      json.member("elements", elementCount)
      json.member("blobs", blobCount)
      json.member("problemCount", problemCount)
      json.objects("problems", problems) { json, problem in
        json.member("kind", problem.kind.rawValue)
        json.member("place", problem.place)
        json.member("detail", problem.detail)
      }
    }
  }
}
