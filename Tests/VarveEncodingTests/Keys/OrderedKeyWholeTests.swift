import Foundation
import Testing
import VarveEncoding
import VarveTestSupport

/// Keys that stay in memory and contain texts of any length.
@Suite struct OrderedKeyWholeTests {
  private func key(_ value: Value, _ type: PropertyType) -> OrderedKey {
    var key = OrderedKey()
    key.appendWhole(value, propertyType: type)
    return key
  }

  /// Texts around the length at which keys of a file are truncated.
  private func longText(_ random: inout SeededRandom) -> Value {
    let text =
      String(repeating: "k", count: 430 + random.below(20)) + random.pick(["", "\0", "a", "b"])
    return random.chance(50) ? .string(text) : .data(Data(text.utf8))
  }

  @Test func orderIsOrderOfValuesOfAllTypes() {
    var random = SeededRandom()
    let values: [Value] =
      (0..<150).map { _ in random.value(.mixed) } + (0..<80).map { _ in random.number() }
      + (0..<60).map { _ in longText(&random) } + [.null]
    let keys = values.map { key($0, .mixed) }
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() {
        #expect(
          ByteArrayOrder.compare(keys[i].bytes, keys[j].bytes) == modelOrder(a, b),
          "\(a) \(b) \(random)")
      }
    }
  }

  @Test(arguments: SeededRandom.storedTypes) func orderIsOrderOfValuesOfOneType(
    _ type: PropertyType
  ) {
    var random = SeededRandom()
    var values: [Value] = (0..<80).map { _ in random.value(type) } + [.null]
    if type == .string {
      values += (0..<60).map { _ in longText(&random) }.filter { $0.type == type }
    }
    // The key of a link does not contain its class.
    if type == .link {
      values = values.map { value in
        if case .link(_, let id) = value { .link(classID: 1, objectID: id) } else { value }
      }
    }
    let keys = values.map { key($0, type) }
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() {
        #expect(
          ByteArrayOrder.compare(keys[i].bytes, keys[j].bytes) == modelOrder(a, b),
          "\(a) \(b) \(random)")
      }
    }
  }

  @Test func numbersCompareAcrossTypes() {
    #expect(key(.int(1), .mixed) == key(.double(1), .mixed))
    #expect(key(.int(1 << 53 + 1), .mixed) != key(.double(0x1p53), .mixed))
    #expect(key(.double(-0.0), .mixed) == key(.int(0), .mixed))
    #expect(key(.float(.nan), .mixed) == key(.double(-.nan), .mixed))
    #expect(key(.double(-0.0), .double) == key(.double(0), .double))
    #expect(key(.double(.nan), .double) == key(.double(-.nan), .double))
  }
}
