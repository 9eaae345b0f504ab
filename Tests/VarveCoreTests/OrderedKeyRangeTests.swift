import Testing
import VarveEncoding
import VarveStorage

@testable import VarveCore

@Suite struct OrderedKeyRangeTests {
  @Test func prefixRangeContainsKeysWithPrefix() throws {
    let keys: [[UInt8]] = [
      [1], [1, 0], [1, 255], [1, 255, 0], [1, 255, 255], [2], [2, 1], [254, 255], [255],
      [255, 0], [255, 255], [255, 255, 255],
    ]
    let store = try ListTestStore()
    let transaction = try store.beginWrite()
    for key in keys {
      try key.withUnsafeBytes { try transaction.put(.lists, key: $0, $0) }
    }
    let snapshot = try transaction.commit()
    for prefix in keys + [[0], [3], [1, 1], [1, 255, 255, 255]] {
      let count = prefix.withUnsafeBytes { bytes in
        OrderedKey(bytes).withPrefixRange { snapshot.countRange(.lists, $0) }
      }
      #expect(count == keys.filter { $0.starts(with: prefix) }.count, "\(prefix)")
    }
  }
}
