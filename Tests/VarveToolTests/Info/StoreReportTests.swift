import Testing

@testable import VarveTool

@Suite struct StoreReportTests {
  @Test func everythingIsTold() {
    #expect(
      report.lines() == [
        "/srv/dogs.varve",
        "  size            4.0 MiB",
        "  format          1",
        "  schema version  2",
        "  version         17 of history 00ff",
        "",
        "Classes",
        "  name   objects  properties  indexes",
        "  Dog     12,345           2        2",
        "  Place        3           1        0",
        "",
        "Dog",
        "  name  String     primary key",
        "  toys  List<Toy>  indexed",
        "",
        "Place (embedded)",
        "  street  String?",
        "",
        "Readers",
        "  process  reads",
        "       12  the newest version",
        "     3456  a version 2 behind the newest",
        "      789  nothing",
      ])
  }

  @Test func emptyStoreIsTold() {
    var empty = report
    empty.classes = []
    empty.readers = []
    #expect(empty.lines().suffix(5) == ["Classes", "  none", "", "Readers", "  none"])
  }

  private var report: StoreReport {
    StoreReport(
      path: "/srv/dogs.varve", bytesOnDisk: 4 << 20, formatVersion: 1, schemaVersion: 2,
      commit: 17, incarnation: "00ff", transaction: 40,
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
      ],
      readers: [
        .init(process: 12, transaction: 40), .init(process: 3456, transaction: 38),
        .init(process: 789, transaction: nil),
      ])
  }
}
