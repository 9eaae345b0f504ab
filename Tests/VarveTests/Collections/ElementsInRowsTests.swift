import Foundation
import Testing
import Varve
import VarveCore
import VarveTestSupport

/// Single elements of lists in rows, of each type, compared with arrays.
@Suite struct ElementsInRowsTests {
  @Model final class Basket: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var bools: List<Bool>
    @Persisted var bytes: List<Int8>
    @Persisted var integers: List<Int?>
    @Persisted var floats: List<Float>
    @Persisted var doubles: List<Double?>
    @Persisted var dates: List<Date>
    @Persisted var uuids: List<UUID?>
    @Persisted var ids: List<ObjectId>
    @Persisted var decimals: List<Decimal128?>
    @Persisted var texts: List<String?>
    @Persisted var data: List<Data>
    @Persisted var values: List<AnyRealmValue>
  }

  private static func id(_ number: Int) -> ObjectId {
    let text = "65000000000000000000" + String(format: "%04x", number)
    return (try? ObjectId(string: text)) ?? ObjectId()
  }

  private static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number % 256)))
  }

  /// Changes a list and an array at random, and compares them after each step and each write.
  private func run<E: RealmCollectionValue & Hashable>(
    _ path: KeyPath<Basket, List<E>>, _ element: (Int) -> E
  ) throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    var realm = try store.open()
    try realm.write { realm.add(Basket(value: ["id": 1])) }
    var random = SeededRandom()
    var model: [E] = []
    for round in 0..<60 {
      let basket = try #require(realm.object(ofType: Basket.self, forPrimaryKey: 1))
      let list = basket[keyPath: path]
      try realm.write {
        for _ in 0..<random.below(12) {
          change(list, &model, element(random.below(250)), &random)
          if random.chance(30) { #expect(Array(list) == model, "\(random)") }
          #expect(list.count == model.count, "\(random)")
        }
      }
      #expect(Array(list) == model, "\(random)")
      guard round % 10 == 9 else { continue }
      try store.check("\(random)")
      try Realm.close(store.configuration)
      realm = try store.open()
    }
  }

  private func change<E: RealmCollectionValue & Hashable>(
    _ list: List<E>, _ model: inout [E], _ element: E, _ random: inout SeededRandom
  ) {
    let index = random.element(model.indices)
    switch (random.below(14), index) {
    case (0...2, _):
      list.append(element)
      model.append(element)
    case (3, _):
      let index = random.below(model.count + 1)
      list.insert(element, at: index)
      model.insert(element, at: index)
    case (4...6, let index?):
      list[index] = element
      model[index] = element
    case (7...9, let index?):
      list.remove(at: index)
      model.remove(at: index)
    case (10, let index?): #expect(list[index] == model[index], "\(random)")
    case (11, _):
      list.append(objectsIn: [element, element])
      model += [element, element]
    case (12, let index?):
      list.move(from: index, to: 0)
      model.insert(model.remove(at: index), at: 0)
    case (13, _):
      let count = random.below(model.count + 1)
      list.removeLast(count)
      model.removeLast(count)
    default: break
    }
  }

  @Test func integers() throws {
    try run(\.bools) { $0 % 2 == 0 }
    try run(\.bytes) { Int8($0 % 128) - 64 }
    try run(\.integers) { $0 % 5 == 0 ? nil : $0 << 40 - 3 }
  }

  @Test func floatingNumbers() throws {
    try run(\.floats) { Float($0) - 0.5 }
    try run(\.doubles) { $0 % 5 == 0 ? nil : Double($0) / 3 }
    try run(\.dates) { Date(timeIntervalSinceReferenceDate: Double($0)) }
    try run(\.decimals) { $0 % 5 == 0 ? nil : Decimal128($0) }
  }

  @Test func identifiers() throws {
    try run(\.uuids) { $0 % 5 == 0 ? nil : Self.uuid($0) }
    try run(\.ids) { Self.id($0) }
  }

  /// Some are too long for a row.
  @Test func stringsAndData() throws {
    try run(\.texts) { $0 % 5 == 0 ? nil : String(repeating: "é", count: $0 % 40) }
    try run(\.texts) { String(repeating: "x", count: $0 % 20 == 0 ? 600 : $0 % 7) }
    try run(\.data) { Data(repeating: 7, count: $0 % 30) }
  }

  @Test func mixedValues() throws {
    try run(\.values) {
      switch $0 % 5 {
      case 0: .none
      case 1: .int($0)
      case 2: .string("text \($0)")
      case 3: .double(Double($0))
      default: .bool(true)
      }
    }
  }

  /// A list is read by its editor, and by itself, after it was changed in the row.
  @Test func changesInRowAreReadInsideWrite() throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    let basket = Basket(value: ["id": 1])
    basket.integers.append(objectsIn: [1, nil, 3])
    try realm.write { realm.add(basket) }
    try realm.write {
      basket.integers[1] = 2
      #expect(basket.integers.index(of: 2) == 1)
      #expect(Array(basket.integers) == [1, 2, 3])
      #expect(basket.integers.sum() == 6)
      #expect(realm.objects(Basket.self).where { $0.integers.contains(2) }.count == 1)
      basket.integers[0] = 7
      basket.integers.remove(at: 2)
      #expect(Array(basket.integers) == [7, 2])
    }
    #expect(Array(basket.integers) == [7, 2])
    // Equal elements, and indexes out of bounds, change nothing.
    let version = basket.integers.freeze()
    try realm.write { basket.integers[0] = 7 }
    #expect(Array(version) == [7, 2])
    #expect(errorCode { try realm.write { basket.integers.remove(at: 2) } } == .indexOutOfBounds)
    try store.check("")
  }
}
