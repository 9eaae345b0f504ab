import VarveCore

extension StoreReport {
  /// Returns the report as lines of text.
  func lines() -> [String] {
    var lines = [path] + summary().lines()
    lines += ["", "Classes"] + (classes.isEmpty ? ["  none"] : classTable().lines())
    for summary in classes { lines += [""] + summary.lines() }
    if !tables.isEmpty { lines += ["", "Tables"] + tableTable().lines() }
    return lines + ["", "Readers"] + readerLines()
  }

  /// Returns a line for each reader.
  func readerLines() -> [String] {
    guard knowsReaders else { return ["  unknown: the lock file cannot be opened"] }
    return readers.isEmpty ? ["  none"] : readerTable().lines()
  }

  private func tableTable() -> TextTable {
    var table = TextTable([
      .init(title: "name"), .init(title: "entries", alignment: .right),
      .init(title: "size", alignment: .right),
    ])
    for part in tables {
      table.append([
        part.name.printable, Quantity.count(part.entryCount), Quantity.bytes(part.bytes),
      ])
    }
    return table
  }

  private func summary() -> TextTable {
    var table = TextTable([.init(title: ""), .init(title: "")])
    table.append(["size", Quantity.bytes(bytesOnDisk)])
    table.append(["live", Quantity.bytes(space.live)])
    table.append(["free", Quantity.bytes(space.free)])
    table.append(["pinned", Quantity.bytes(space.pinned)])
    table.append(["format", String(formatVersion)])
    table.append(["schema version", String(schemaVersion)])
    table.append(["version", "\(commit) of history \(incarnation)"])
    return table
  }

  private func classTable() -> TextTable {
    var table = TextTable([
      .init(title: "name"), .init(title: "objects", alignment: .right),
      .init(title: "properties", alignment: .right), .init(title: "indexes", alignment: .right),
    ])
    for summary in classes {
      let indexes =
        summary.properties.count { $0.isIndexed || $0.isPrimaryKey && !$0.isObjectID }
        + summary.indexes.count
      table.append([
        summary.name.printable, Quantity.count(summary.objectCount),
        String(summary.properties.count),
        String(indexes),
      ])
    }
    return table
  }

  private func readerTable() -> TextTable {
    var table = TextTable([
      .init(title: "process", alignment: .right), .init(title: "reads"),
      .init(title: "age", alignment: .right), .init(title: "pinned", alignment: .right),
    ])
    for reader in readers {
      let isOld = reader.distance ?? 0 > 0
      table.append([
        String(reader.process), Self.describe(reader),
        isOld ? reader.age.map(Quantity.duration) ?? "?" : "",
        isOld ? Quantity.bytes(reader.pinnedBytes) : "",
      ])
    }
    return table
  }

  private static func describe(_ reader: Reader) -> String {
    guard let distance = reader.distance else { return "nothing" }
    if distance == 0 {
      return reader.isWriting ? "the newest version, and writes" : "the newest version"
    }
    return "a version \(Quantity.count(Int(clamping: distance))) behind the newest"
  }
}

extension StoreReport.ClassSummary {
  /// The class with its properties and indexes, as lines of text.
  func lines() -> [String] {
    [isEmbedded ? "\(name.printable) (embedded)" : name.printable] + propertyTable().lines()
      + indexes.map { "  \($0.printable)" }
  }

  private func propertyTable() -> TextTable {
    var table = TextTable([.init(title: ""), .init(title: ""), .init(title: "")])
    for property in properties {
      let note =
        property.isAutoIncremented
        ? "primary key, auto-incremented"
        : property.isPrimaryKey ? "primary key" : property.isIndexed ? "indexed" : ""
      table.append([property.name.printable, property.type.printable, note])
    }
    return table
  }
}
