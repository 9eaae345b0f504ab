import Foundation
import Testing
import Varve
import VarveCore
import VarveStorage

@Suite struct DamagedRowTests {
  /// Makes the row of one object unreadable, and tells how many places were changed.
  private func damage(_ path: String, marker: String) throws -> Int {
    let url = URL(filePath: path)
    var bytes = try Data(contentsOf: url)
    var from = bytes.startIndex
    var count = 0
    // The length of the row stands 4 bytes behind its begin: a row header is looked for before the text.
    while let place = bytes.range(of: Data(marker.utf8), in: from..<bytes.endIndex) {
      for start in stride(from: place.lowerBound - 12, through: place.lowerBound - 300, by: -1)
      where start >= 0 {
        let length = bytes[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        let layout = Int(bytes[start + 8]) | Int(bytes[start + 9]) << 8
        guard layout == 1, length > place.upperBound - 1 - start, length < 400 else { continue }
        bytes[start + 8] = 0xFF
        bytes[start + 9] = 0xFF
        count += 1
        break
      }
      from = place.upperBound
    }
    try bytes.write(to: url)
    return count
  }

  @Test func aDamagedRowReadsAsZeroAndTheStoreSaysSo() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let marker = "a text that marks the row"
    try realm.write {
      realm.add(Crate(1))
      realm.create(Crate.self, value: ["id": 2, "label": marker])
    }
    try store.close()
    #expect(try damage(store.path, marker: marker) > 0)
    let again = try store.open()
    let damaged = try #require(again.object(ofType: Crate.self, forPrimaryKey: 2))
    let sound = try #require(again.object(ofType: Crate.self, forPrimaryKey: 1))
    #expect(damaged.label == "")
    #expect(damaged.numbers.isEmpty)
    #expect(sound.label == "" && sound.id == 1)
    expectError(.corrupted) { try again.refresh() }
    let error = thrownError { try again.write { sound.label = "x" } }
    #expect(error?.code == .corrupted)
    #expect(error?.path == store.path)
    expectError(.corrupted) { try store.open() }
    try Realm.close(store.configuration)
  }

  @Test func aListWhoseNodesAreMissingIsTold() throws {
    let store = try TemporaryRealm()
    defer { store.remove() }
    let realm = try store.open()
    let crate = Crate(1, numbers: 0..<5000)
    try realm.write { realm.add(crate) }
    let transaction = try store.configuration.store().environment.beginWrite(timeout: .seconds(5))
    try transaction.deleteAll(.lists)
    _ = try transaction.commit()
    try realm.refresh()
    #expect(crate.numbers[4999] == 0)
    for use in [
      { crate.numbers.removeLast() }, { crate.numbers.append(1) }, { crate.numbers[7] = 1 },
      { crate.numbers.insert(contentsOf: [1], at: 0) }, { _ = crate.numbers[7] },
      { crate.numbers.removeAll() }, { crate.numbers.swapAt(0, 4999) },
    ] {
      expectError(.corrupted) { try realm.write { use() } }
    }
    try Realm.close(store.configuration)
  }
}
