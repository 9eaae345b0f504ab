import VarveCore

extension StoreStatistics {
  /// Returns the sizes as lines of text.
  func lines() -> [String] {
    var lines = ["Tables"] + (tables.isEmpty ? ["  none"] : tableTable().lines())
    lines += ["", "Classes"] + (classes.isEmpty ? ["  none"] : classTable().lines())
    if !largestObjects.isEmpty {
      lines += ["", "Largest objects"]
      lines += Self.table(of: largestObjects, "size") { Quantity.bytes($0) }.lines()
    }
    if !largestCollections.isEmpty {
      lines += ["", "Largest collections"]
      lines += Self.table(of: largestCollections, "elements") { Quantity.count($0) }.lines()
    }
    return lines
  }

  private func tableTable() -> TextTable {
    var table = TextTable([
      .init(title: "name"), .init(title: "entries", alignment: .right),
      .init(title: "size", alignment: .right), .init(title: "fill", alignment: .right),
    ])
    for size in tables {
      table.append([
        size.name.printable, Quantity.count(size.entryCount), Quantity.bytes(size.pageBytes),
        "\(size.fill) %",
      ])
    }
    return table
  }

  private func classTable() -> TextTable {
    var table = TextTable(
      [TextTable.Column(title: "name")]
        + ["objects", "rows", "long values", "size", "collections in rows", "outside", "elements"]
        .map { TextTable.Column(title: $0, alignment: .right) })
    for size in classes {
      table.append([
        size.name.printable, Quantity.count(size.objectCount), Quantity.bytes(size.rowBytes),
        Quantity.count(size.blobCount), Quantity.bytes(size.blobBytes),
        Quantity.count(size.inlineCollectionCount), Quantity.count(size.outsideCollectionCount),
        Quantity.count(size.elementCount),
      ])
    }
    return table
  }

  private static func table(
    of places: [Place], _ title: String, _ text: (Int) -> String
  ) -> TextTable {
    var table = TextTable([
      .init(title: "object"), .init(title: title, alignment: .right),
    ])
    for place in places {
      table.append([place.name, text(place.size)])
    }
    return table
  }

  /// The sizes as a JSON object on one line.
  var json: String {
    let tables = tables.map { size in
      [
        ("name", size.name.json), ("entries", "\(size.entryCount)"),
        ("contentBytes", "\(size.contentBytes)"), ("pageBytes", "\(size.pageBytes)"),
      ].json
    }
    let classes = classes.map { size in
      [
        ("name", size.name.json), ("objects", "\(size.objectCount)"),
        ("rowBytes", "\(size.rowBytes)"), ("longValues", "\(size.blobCount)"),
        ("longValueBytes", "\(size.blobBytes)"),
        ("inlineCollections", "\(size.inlineCollectionCount)"),
        ("outsideCollections", "\(size.outsideCollectionCount)"),
        ("elements", "\(size.elementCount)"),
      ].json
    }
    return [
      ("tables", "[\(tables.joined(separator: ","))]"),
      ("classes", "[\(classes.joined(separator: ","))]"),
      ("largestObjects", Self.json(of: largestObjects, "bytes")),
      ("largestCollections", Self.json(of: largestCollections, "elements")),
    ].json
  }

  private static func json(of places: [Place], _ size: String) -> String {
    let objects = places.map { place in
      var members = [("class", place.className.json), ("key", place.key.json)]
      if let property = place.property { members.append(("property", property.json)) }
      return (members + [(size, "\(place.size)")]).json
    }
    return "[\(objects.joined(separator: ","))]"
  }
}

extension StoreStatistics.Place {
  /// The class, the key and the property.
  fileprivate var name: String {
    let owner = "\(className.printable) \(key.printable)"
    return property.map { "\(owner).\($0.printable)" } ?? owner
  }
}
