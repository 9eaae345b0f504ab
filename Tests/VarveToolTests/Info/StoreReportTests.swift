import Testing

@testable import VarveTool

@Suite struct StoreReportTests {
  @Test func reportContainsEverything() {
    #expect(
      report.lines() == [
        "/srv/dogs.varve",
        "  size            4.0 MiB",
        "  live            2.0 MiB",
        "  free            1.0 MiB",
        "  pinned          1.0 MiB",
        "  format          1",
        "  schema version  2",
        "  version         17 of history 00ff",
        "",
        "Classes",
        "  name   objects  properties  indexes",
        "  Dog     12,345           2        2",
        "  Place        3           1        0",
        "  Toy          1           1        1",
        "",
        "Dog",
        "  name  String     primary key",
        "  toys  List<Toy>  indexed",
        "",
        "Place (embedded)",
        "  street  String?",
        "",
        "Toy",
        "  id  Int  primary key, auto-incremented",
        "",
        "Readers",
        "  process  reads                               age   pinned",
        "       12  the newest version",
        "     3456  a version 2 behind the newest   12.00 s  8.0 KiB",
        "       99  a version 3 behind the newest         ?      0 B",
        "      789  the newest version, and writes",
      ])
  }

  @Test func emptyStoreIsReported() {
    var empty = report
    empty.classes = []
    empty.readers = []
    #expect(empty.lines().suffix(5) == ["Classes", "  none", "", "Readers", "  none"])
  }

  private var report: StoreReport {
    StoreReport(
      path: "/srv/dogs.varve", bytesOnDisk: 4 << 20, formatVersion: 1, schemaVersion: 2,
      commit: 17, incarnation: "00ff",
      space: .init(live: 2 << 20, free: 1 << 20, pinned: 1 << 20),
      classes: [
        .init(
          name: "Dog", objectCount: 12_345,
          properties: [
            .init(name: "name", type: "String", isPrimaryKey: true),
            .init(name: "toys", type: "List<Toy>", isIndexed: true),
          ]),
        .init(
          name: "Place", isEmbedded: true, objectCount: 3,
          properties: [.init(name: "street", type: "String?")]),
        .init(
          name: "Toy", objectCount: 1,
          properties: [
            .init(name: "id", type: "Int", isPrimaryKey: true, isAutoIncremented: true)
          ]),
      ],
      readers: [
        .init(process: 12, distance: 0),
        .init(process: 3456, distance: 2, age: .seconds(12), pinnedBytes: 8 << 10),
        .init(process: 99, distance: 3), .init(process: 789, distance: 0, isWriting: true),
      ])
  }
}
