import Foundation
import Varve

/// A value to store in a property of ``AllTypes``, and a way to verify that it is stored.
struct ValueSample {
  let name: String
  let store: (AllTypes) -> Void
  /// The exact value of the property.
  let found: (AllTypes) -> String
  let expected: String
}

/// The exact value as text: -0.0 is not 0.0, and two normal forms of a string are two strings.
func exactText(_ value: Any) -> String {
  switch value {
  case let value as Double: return "Double \(String(value.bitPattern, radix: 16))"
  case let value as Float: return "Float \(String(value.bitPattern, radix: 16))"
  case let value as Date: return "Date \(exactText(value.timeIntervalSinceReferenceDate))"
  case let value as String: return "String \(exactText(bytes: value.utf8))"
  case let value as Data: return "Data \(exactText(bytes: value))"
  default: return "\(value)"
  }
}

private func exactText(bytes: some Collection<UInt8>) -> String {
  guard bytes.count > 40 else { return Array(bytes).description }
  // FNV-1a keeps the messages for long values short.
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return "\(bytes.count) bytes \(String(hash, radix: 16))"
}

extension ValueSample {
  static func values<V: RealmCollectionValue>(
    _ name: String, _ path: ReferenceWritableKeyPath<AllTypes, V>, _ values: [V]
  ) -> [ValueSample] {
    values.map { value in
      ValueSample(
        name: name, store: { $0[keyPath: path] = value },
        found: { exactText($0[keyPath: path] as Any) }, expected: exactText(value as Any))
    }
  }

  /// All values at once, in a list and in a map.
  static func collections<V: RealmCollectionValue>(
    _ name: String, _ list: ReferenceWritableKeyPath<AllTypes, List<V>>,
    _ map: ReferenceWritableKeyPath<AllTypes, Map<String, V>>, _ values: [V]
  ) -> [ValueSample] {
    let expected = values.map { exactText($0 as Any) }
    let keys = values.indices.map { "key \(100 + $0)" }
    return [
      ValueSample(
        name: "List of \(name)", store: { $0[keyPath: list].append(objectsIn: values) },
        found: { object in
          let list = object[keyPath: list]
          let walked = list.map { exactText($0 as Any) }
          let indexed = list.indices.map { exactText(list[$0] as Any) }
          return walked == indexed ? "\(walked)" : "walked \(walked), indexed \(indexed)"
        },
        expected: "\(expected)"),
      ValueSample(
        name: "Map of \(name)",
        store: { for (key, value) in zip(keys, values) { $0[keyPath: map][key] = value } },
        found: { object in
          let map = object[keyPath: map]
          let walked = map.map { exactText($0.value as Any) }
          let looked = keys.map { key in map[key].map { exactText($0 as Any) } ?? "absent" }
          return walked == looked && map.keys == keys
            ? "\(walked)" : "walked \(walked), looked up \(looked)"
        },
        expected: "\(expected)"),
    ]
  }

  /// Samples of one type: single, optional, in lists and in maps.
  static func all<V: RealmCollectionValue>(
    _ name: String, _ samples: [V], single: ReferenceWritableKeyPath<AllTypes, V>,
    optional: ReferenceWritableKeyPath<AllTypes, V?>,
    list: ReferenceWritableKeyPath<AllTypes, List<V>>,
    optionalList: ReferenceWritableKeyPath<AllTypes, List<V?>>,
    map: ReferenceWritableKeyPath<AllTypes, Map<String, V>>,
    optionalMap: ReferenceWritableKeyPath<AllTypes, Map<String, V?>>
  ) -> [ValueSample] where V: _OptionalPersistable {
    let optionals = [nil] + samples.map { Optional($0) } + [nil]
    return values(name, single, samples) + values("\(name)?", optional, optionals)
      + collections(name, list, map, samples)
      + collections("\(name)?", optionalList, optionalMap, optionals)
  }
}
