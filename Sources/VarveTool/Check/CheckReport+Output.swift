import Varve

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
    let problems = problems.map { problem in
      """
      {"kind":\(problem.kind.rawValue.json),"place":\(problem.place.json),\
      "detail":\(problem.detail.json)}
      """
    }
    return """
      {"sound":\(isSound),"pages":\(pageCount),"pageSize":\(pageSize),"bytes":\(byteCount),\
      "freePages":\(freePageCount.json),"leakedPages":\(leakedPageCount.json),\
      "classes":\(classCount),"objects":\(objectCount),"indexEntries":\(indexEntryCount),\
      "links":\(linkCount),"collections":\(collectionCount),"elements":\(elementCount),\
      "blobs":\(blobCount),"problemCount":\(problemCount),\
      "problems":[\(problems.joined(separator: ","))]}
      """
  }
}

extension Int? {
  /// The number as JSON.
  var json: String { map { "\($0)" } ?? "null" }
}
