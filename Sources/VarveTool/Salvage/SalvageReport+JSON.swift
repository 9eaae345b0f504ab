import Varve

extension Realm.SalvageReport {
  /// The report as a JSON object on one line.
  var json: String {
    let classes = classes.map { count in
      """
      {"name":\(count.name.json),"rescued":\(count.rescued),"lost":\(count.lost)}
      """
    }
    let objects = lostObjects.map { object in
      """
      {"class":\(object.className.json),"key":\(object.key.json),\
      "reason":\(object.reason.description.json),"detail":\(object.detail.json)}
      """
    }
    let lostClasses = lostClasses.map { lost in
      """
      {"name":\(lost.name.json),"objects":\(lost.objectCount.json)}
      """
    }
    return """
      {"complete":\(isComplete),"rescued":\(rescuedCount),"lost":\(lostCount),\
      "classes":[\(classes.joined(separator: ","))],\
      "lostObjects":[\(objects.joined(separator: ","))],\
      "lostClasses":[\(lostClasses.joined(separator: ","))],\
      "lostProperties":[\(lostProperties.map(\.json).joined(separator: ","))],\
      "lostValues":\(lostValueCount),"lostElements":\(lostElementCount),\
      "lostLinks":\(lostLinkCount),"damagedPages":\(damagedPageCount),\
      "dataMissing":\(isDataMissing),"unreadableBytes":\(unreadableByteCount),\
      "metaPageDamaged":\(isMetaPageDamaged),"earlierVersion":\(isEarlierVersion)}
      """
  }
}
