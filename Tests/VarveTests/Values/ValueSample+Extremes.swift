import Foundation
import Varve

extension ValueSample {
  /// Strings at the boundaries between storage forms: empty, with zeros, in two normal forms, and
  /// around 512 bytes, above which a value is stored as a blob.
  static let strings = [
    "", "a", "\u{0}", "\u{0}a\u{0}\u{0}", "\u{e9}", "e\u{301}", "👩‍👩‍👧‍👦", "\u{feff}", "\u{10FFFF}",
    String(repeating: "x", count: 511), String(repeating: "y", count: 512),
    String(repeating: "z", count: 513), String(repeating: "\u{0}", count: 600),
    String(repeating: "é", count: 1 << 19),
  ]

  static let datas = [
    Data(), Data([0]), Data([0xFF, 0, 0xFE]), Data((0..<511).map { UInt8(truncatingIfNeeded: $0) }),
    Data(repeating: 1, count: 512), Data(repeating: 2, count: 513),
    Data(repeating: 3, count: (1 << 20) - 1), Data(repeating: 4, count: 1 << 20),
    Data(repeating: 5, count: (1 << 20) + 1),
  ]

  static let doubles: [Double] = [
    0, -0.0, 1, -1, .nan, -.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, .pi, 0.1, 0x1p53 + 1,
    Double(nan: 0x1234, signaling: false),
  ]

  static let floats: [Float] = [
    0, -0.0, 1, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    .pi, 16_777_216,
  ]

  static let dates = [
    Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: -0.0),
    Date(timeIntervalSince1970: 0), .distantPast, .distantFuture,
    Date(timeIntervalSinceReferenceDate: 0.1), Date(timeIntervalSinceReferenceDate: 1e18),
    Date(timeIntervalSinceReferenceDate: .infinity),
    Date(timeIntervalSinceReferenceDate: -.infinity), Date(timeIntervalSinceReferenceDate: .nan),
  ]

  static let uuids = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
    UUID(),
  ]

  static let objectIds = [
    "000000000000000000000000", "ffffffffffffffffffffffff", "0123456789abcdefFEDCBA98",
  ].compactMap { ObjectId($0) }

  static let decimals = [
    "0", "-0.00", "1", "1.00", "-1", "0.1", "9007199254740993", "1E-6176", "Inf", "-Inf", "NaN",
    "9.999999999999999999999999999999999E+6144", "-1234567890123456789012345678901234E-20",
  ].compactMap { Decimal128($0) }

  /// Every type with its extremes.
  static var extremes: [ValueSample] {
    all(
      "Bool", [false, true], single: \.bool, optional: \.optionalBool, list: \.bools,
      optionalList: \.optionalBools, map: \.boolMap, optionalMap: \.optionalBoolMap)
      + all(
        "Int", [0, 1, -1, .min, .max], single: \.int, optional: \.optionalInt, list: \.ints,
        optionalList: \.optionalInts, map: \.intMap, optionalMap: \.optionalIntMap)
      + all(
        "Int8", [0, 1, -1, .min, .max], single: \.int8, optional: \.optionalInt8, list: \.int8s,
        optionalList: \.optionalInt8s, map: \.int8Map, optionalMap: \.optionalInt8Map)
      + all(
        "Int16", [0, 1, -1, .min, .max], single: \.int16, optional: \.optionalInt16,
        list: \.int16s, optionalList: \.optionalInt16s, map: \.int16Map,
        optionalMap: \.optionalInt16Map)
      + all(
        "Int32", [0, 1, -1, .min, .max], single: \.int32, optional: \.optionalInt32,
        list: \.int32s, optionalList: \.optionalInt32s, map: \.int32Map,
        optionalMap: \.optionalInt32Map)
      + all(
        "Int64", [0, 1, -1, .min, .max], single: \.int64, optional: \.optionalInt64,
        list: \.int64s, optionalList: \.optionalInt64s, map: \.int64Map,
        optionalMap: \.optionalInt64Map)
      + moreExtremes
  }

  private static var moreExtremes: [ValueSample] {
    all(
      "Float", floats, single: \.float, optional: \.optionalFloat, list: \.floats,
      optionalList: \.optionalFloats, map: \.floatMap, optionalMap: \.optionalFloatMap)
      + all(
        "Double", doubles, single: \.double, optional: \.optionalDouble, list: \.doubles,
        optionalList: \.optionalDoubles, map: \.doubleMap, optionalMap: \.optionalDoubleMap)
      + all(
        "String", strings, single: \.string, optional: \.optionalString, list: \.strings,
        optionalList: \.optionalStrings, map: \.stringMap, optionalMap: \.optionalStringMap)
      + all(
        "Data", datas, single: \.data, optional: \.optionalData, list: \.datas,
        optionalList: \.optionalDatas, map: \.dataMap, optionalMap: \.optionalDataMap)
      + all(
        "Date", dates, single: \.date, optional: \.optionalDate, list: \.dates,
        optionalList: \.optionalDates, map: \.dateMap, optionalMap: \.optionalDateMap)
      + identifierExtremes
  }

  private static var identifierExtremes: [ValueSample] {
    all(
      "UUID", uuids, single: \.uuid, optional: \.optionalUUID, list: \.uuids,
      optionalList: \.optionalUUIDs, map: \.uuidMap, optionalMap: \.optionalUUIDMap)
      + all(
        "ObjectId", objectIds, single: \.objectId, optional: \.optionalObjectId,
        list: \.objectIds, optionalList: \.optionalObjectIds, map: \.objectIdMap,
        optionalMap: \.optionalObjectIdMap)
      + all(
        "Decimal128", decimals, single: \.decimal, optional: \.optionalDecimal,
        list: \.decimals, optionalList: \.optionalDecimals, map: \.decimalMap,
        optionalMap: \.optionalDecimalMap)
      + all(
        "Color", Color.allCases, single: \.color, optional: \.optionalColor, list: \.colors,
        optionalList: \.optionalColors, map: \.colorMap, optionalMap: \.optionalColorMap)
      + all(
        "Level", Level.allCases, single: \.level, optional: \.optionalLevel, list: \.levels,
        optionalList: \.optionalLevels, map: \.levelMap, optionalMap: \.optionalLevelMap)
  }
}
