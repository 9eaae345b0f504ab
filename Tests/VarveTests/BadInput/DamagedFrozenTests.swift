import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage
import VarveTestSupport

/// Elements of frozen collections whose pages are damaged.
@Suite struct DamagedFrozenTests {
  /// A frozen realm of a store with a damaged page of rows that has not been read yet.
  private func withDamagedCrates(_ body: (Realm) throws -> Void) throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    try makeDamagedCrates(store)
    do { try body(try store.open().freeze()) }
    try Realm.close(store.configuration)
  }

  @Test func unreadableRowOfFrozenResultsReadsAsMissing() throws {
    try withDamagedCrates { frozen in
      let crates = frozen.objects(Crate.self)
      #expect(crates.count == 500)
      let labels = (0..<crates.count).map { crates[$0].label }
      #expect(labels[0] == "crate number 0.")
      #expect(labels[499] == "")
    }
  }

  @Test func copyOfFrozenResultsEndsAtDamagedPage() throws {
    try withDamagedCrates { frozen in
      let crates = frozen.objects(Crate.self)
      var copy: [Crate] = []
      copy += crates
      #expect(copy.count < 500)
      #expect(crates[0..<500].map(\.label).count == 500)
      #expect(crates.prefix(300).map(\.label).last == "")
      #expect(Array(crates.reversed()).count == 500)
      #expect(AnyRealmCollection(crates)[499].label == "")
      #expect(crates.suffix(3).map(\.label) == ["", "", ""])
    }
  }

  @Test func sectionsOfDamagedCollectionAreReadable() throws {
    try withDamagedCrates { frozen in
      let sections = frozen.objects(Crate.self).sectioned(by: \.weight)
      for index in 0..<sections.count {
        let section = sections[index]
        for item in 0..<section.count { _ = section[item].label }
      }
      #expect(sections[sections.count].isEmpty)
    }
  }

  @Test func frozenListWithoutNodesReadsAsZero() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write { realm.add(Crate(1, numbers: 0..<5000)) }
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    try transaction.deleteLists()
    _ = try transaction.commit()
    try realm.refresh()
    let numbers = try #require(realm.objects(Crate.self).first?.freeze()).numbers
    #expect(numbers.count == 5000)
    #expect(numbers[4999] == 0)
    #expect(numbers[4999..<5000].map { $0 } == [0])
    expectError(.corrupted) { try realm.refresh() }
    try Realm.close(store.configuration)
  }

  @Test func elementMissingBelowCountIsCorruption() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    try realm.write { for id in 0..<3 { realm.add(Crate(id)) } }
    try store.close()
    // The entry count of the class's table: three entries in the leaf that is its root.
    let url = URL(filePath: store.path)
    var bytes = try Data(contentsOf: url)
    let record = try crateRecord(in: bytes)
    bytes[record + PageLayout.recordEntries] = 9
    try bytes.write(to: url)
    let crates = try store.open().freeze().objects(Crate.self)
    #expect(crates.count == 9)
    #expect(crates[7].label == "")
    try Realm.close(store.configuration)
  }

  /// The offset of the record of the newest version's table of the only class in a file.
  private func crateRecord(in bytes: Data) throws -> Int {
    let name = Table.objects(ofClass: 1).withName { Data($0) }
    var from = bytes.startIndex
    var found: Int?
    while let range = bytes.range(of: name, in: from..<bytes.endIndex) {
      let record = range.upperBound
      if record + PageLayout.recordSize <= bytes.count,
        bytes[record + PageLayout.recordEntries] == 3
      {
        found = record
      }
      from = range.upperBound
    }
    return try #require(found)
  }
}
