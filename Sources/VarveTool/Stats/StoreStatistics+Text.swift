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
    of items: [Item], _ title: String, _ text: (Int) -> String
  ) -> TextTable {
    var table = TextTable([
      .init(title: "object"), .init(title: title, alignment: .right),
    ])
    for item in items {
      table.append([item.name, text(item.size)])
    }
    return table
  }
}

extension StoreStatistics.Item {
  /// The class, the key and the property.
  fileprivate var name: String {
    let key = primaryKey?.text.printable ?? "#\(objectID)"
    let owner = "\(className.printable) \(key)"
    return property.map { "\(owner).\($0.printable)" } ?? owner
  }
}
