import Foundation

/// Types of properties, by the prefix of their names.
enum OracleType: String, CaseIterable {
  case bool, int8, int16, int32, int, float, double, string, data, date, uuid, objectId, decimal
  case mixed

  var isNumber: Bool {
    switch self {
    case .int8, .int16, .int32, .int, .float, .double, .decimal: true
    default: false
    }
  }

  /// Whether values of the type are ordered.
  var hasOrder: Bool { self != .bool && self != .uuid }
}

/// The error-prone values of each type.
enum OracleSamples {
  static let long = String(repeating: "an equal beginning, ", count: 31)
  static let limit = Int64(1) << 53

  static func values(of type: OracleType) -> [OracleValue] {
    switch type {
    case .bool: [.bool(false), .bool(true)]
    case .int8: [-128, -1, 0, 1, 100, 127].map { .int($0) }
    case .int16: [-32_768, -1, 0, 1, 255, 32_767].map { .int($0) }
    case .int32: [-2_147_483_648, -1, 0, 1, 16_777_217, 2_147_483_647].map { .int($0) }
    case .int: integers.map { .int($0) }
    case .float: floats.map { .float($0) }
    case .double: doubles.map { .double($0) }
    case .decimal: decimals.map { .decimal($0) }
    case .string: strings.map { .string($0) }
    case .data: datas.map { .data($0) }
    case .date: dates.map { .date($0) }
    case .uuid: [0, 1, 255].map { .uuid([$0] + Array(repeating: 7, count: 15)) }
    case .objectId: [0, 1, 255].map { .objectId(Array(repeating: 9, count: 11) + [$0]) }
    case .mixed:
      [
        .bool(true), .bool(false), .int(1), .int(limit + 1), .float(0.1), .double(0.1),
        .double(.nan), .double(Double(limit)), .decimal("0.1"), .decimal("1.00"),
        .decimal("9007199254740993"), .string("1"), .string("ÄBC"), .string(long + "x"),
        .data([49]), .date(1), .uuid(Array(repeating: 1, count: 16)),
        .objectId(Array(repeating: 1, count: 12)), .int(.max), .double(0x1p63),
      ]
    }
  }

  static let integers = [
    0, 1, -1, 42, .min, .max, .max - 1, limit - 1, limit, limit + 1, -limit - 1, 16_777_217,
  ]
  static let doubles = [
    0, -0.0, .nan, .infinity, -.infinity, 0.1, Double(Float(0.1)), 1, 1.5, -1.5, Double(limit),
    Double(limit + 2), 0x1p63, -0x1p63, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]
  static let floats: [Float] = [
    0, -0.0, .nan, .infinity, 0.1, 1.5, -1, 16_777_216, 0x1p63, .greatestFiniteMagnitude,
  ]
  static let decimals = [
    "0", "-0", "NaN", "Inf", "-Inf", "0.1", "1", "1.00", "10E-1", "1.5", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "0.1000000000000000055511151231257827", "1E+6111",
    "-1E-6176", "1.797693134862315708145274237317044E+308",
  ]
  static let strings = [
    "", "a", "A", "abc", "ABC", "abd", "äbc", "ÄBC", "a\u{308}bc", "ab", "b\u{0}c", "Straße",
    long + "x", long + "y", long.uppercased() + "X", "\u{10FFFF}", "\u{FFFF}",
  ]
  static let datas: [[UInt8]] = [
    [], [0], [0, 0], [97, 98, 99], [255], Array((long + "x").utf8), Array((long + "y").utf8),
  ]
  static let dates = [0, -0.0, 0.1, -1.5, 1e9, -63_114_076_800, 64_092_211_200, .nan]

  /// Distinct values of one type whose sum does not depend on the order, and of which a set drops
  /// none.
  static func summable(of type: OracleType) -> [OracleValue] {
    switch type {
    case .int: [-7, 0, 1, 42, 1 << 40].map { .int($0) }
    case .float: [0, .nan, 0.5, 1.5, -2.25, .infinity].map { .float($0) }
    case .double: [0, .nan, 0.5, 1.5, -2.25, 1_099_511_627_776, .infinity].map { .double($0) }
    case .decimal: ["0", "NaN", "0.1", "1.00", "1.5", "-2.25", "Inf"].map { .decimal($0) }
    case .date: [0, 0.1, -1.5, 1e9].map { .date($0) }
    case .mixed:
      [
        .int(1), .double(1.5), .float(0.5), .decimal("2.5"), .string("a"), .bool(true), .date(1),
        .double(.nan), .data([97]),
      ]
    default: values(of: type)
    }
  }
}
