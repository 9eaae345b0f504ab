import Foundation
import Testing
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

/// An index whose entries a test writes itself, between two other indexes that must not be touched.
final class IndexTestStore {
  let environment: Environment
  let index: PropertyIndex
  /// The values by object id.
  private(set) var values: [UInt64: Value] = [:]

  init(_ environment: Environment, _ type: PropertyType, isUnique: Bool = false) {
    self.environment = environment
    index = PropertyIndex(
      id: 7, kind: PropertyKind(type: type, isNullable: true), linkClass: 3, isUnique: isUnique,
      fileKey: FileKey(low: 1, high: 2))
  }

  /// Writes entries in one transaction. `body` can read it before it commits.
  @discardableResult
  func enter(
    _ new: [UInt64: Value], body: (WriteTransaction) throws -> Void = { _ in }
  ) throws -> Snapshot {
    let transaction = try environment.beginWrite(timeout: .seconds(30))
    var key = OrderedKey()
    var entry = ByteBuffer()
    for (id, value) in new {
      values[id] = value
      for indexID in [index.id - 1, index.id, index.id + 1] {
        IndexKey.encode(
          value, propertyType: index.kind.type, indexID: indexID, objectID: id,
          isInKey: !index.isUnique, fileKey: FileKey(low: 1, high: 2), key: &key, entry: &entry)
        try key.withUnsafeBytes { key in
          try entry.withUnsafeBytes { try transaction.put(.indexes, key: key, $0) }
        }
      }
    }
    try body(transaction)
    return try transaction.commit()
  }
}

/// Runs a test with a separate environment, and checks the file at the end.
func withIndexEnvironment(_ body: (Environment) throws -> Void) throws {
  try withTemporaryOptions { store in
    var options = EnvironmentOptions(path: store.path)
    options.durability = .none
    options.mapSize = 1 << 30
    let environment = try Environment.open(options)
    do {
      try body(environment)
      try StructureWalk.check(try environment.snapshot())
      #expect(environment.damageError == nil)
      try environment.close()
    } catch {
      try environment.close()
      throw error
    }
  }
}

extension SeededRandom {
  /// A value for a property of a type: often null, an extreme, or a value that was returned before.
  mutating func value(_ type: PropertyType) -> Value {
    if oneIn(12) { return .null }
    switch type {
    case .bool: return .bool(oneIn(2))
    case .int8: return .int(Int64(Int8.random(in: .min ... .max, using: &self)))
    case .int16, .int32: return .int(Int64(int(-300...300)))
    case .int64: return .int(integer())
    case .float: return .float(float())
    case .double: return .double(double())
    case .string: return .string(String(decoding: text(), as: UTF8.self))
    case .data: return .data(Data(text()))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: double()))
    case .uuid:
      let bytes = (0..<16).map { _ in UInt8(below(2) * 255) }
      return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case .objectId: return .objectId(ObjectIdBytes(high: UInt64(below(3)), low: UInt32(below(3))))
    case .decimal128: return .decimal(decimal())
    case .link: return .link(classID: 3, objectID: UInt64(below(5)))
    case .mixed:
      let types: [PropertyType] = [
        .bool, .int64, .float, .double, .decimal128, .string, .data, .date, .uuid, .objectId, .link,
        .int64, .double, .decimal128,
      ]
      return value(pick(types))
    }
  }

  /// A number of some type that is equal to, or near, the numbers that properties have.
  mutating func number() -> Value {
    switch below(5) {
    case 0: .int(integer())
    case 1: .float(float())
    case 2: .double(double())
    case 3: .double(Double(integer()).nextUp)
    default: .decimal(decimal())
    }
  }

  private mutating func integer() -> Int64 {
    switch below(4) {
    case 0: pick([.min, .min + 1, .max, .max - 1, 0, 1, -1])
    case 1: pick([1 << 53, -(1 << 53), 1 << 62]) + Int64(int(-3...3))
    default: Int64(int(-4...4))
    }
  }

  private mutating func double() -> Double {
    switch below(4) {
    case 0:
      pick([
        .nan, .infinity, -.infinity, 0.0, -0.0, Double.leastNonzeroMagnitude,
        -Double.leastNonzeroMagnitude, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, 0x1p63, -0x1p63, 2.2250738585072014e-308, 0.1, 1e23,
      ])
    case 1: 0x1p53 + Double(int(-3...3))
    default: Double(int(-8...8)) / 2
    }
  }

  private mutating func float() -> Float {
    oneIn(4)
      ? pick([
        .nan, .infinity, -.infinity, -0.0, 0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
      ])
      : Float(int(-8...8)) / 2
  }

  private mutating func decimal() -> Decimal128Bits {
    let texts = [
      "NaN", "Infinity", "-Infinity", "0", "-0.0", "0.1", "-0.1", "1.00", "2.5", "-2.5", "1e6111",
      "-1e6111", "1e-6176", "-1e-6176", "9007199254740993", "9007199254740992.5",
      "9223372036854775807", "9223372036854775807.5", "9223372036854775808", "-9223372036854775808",
      "-9223372036854775808.5", "-9223372036854775809", "1e23",
      "0.1000000000000000055511151231257827",
      "0.1000000000000000055511151231257828", "99999999999999991611392", "1.7976931348623157e308",
      "1.7976931348623158e308", "5e-324", "4.940656458412465441765687928682213e-324",
      "4.940656458412465441765687928682214e-324",
    ]
    if oneIn(2) { return Decimal128Bits(pick(texts)) ?? .zero }
    return Decimal128Bits(Int64(int(-4...4)))
  }

  /// UTF-8 that is short, or so long that its keys are truncated, including lengths near the limit.
  private mutating func text() -> [UInt8] {
    let letters = Array("\u{0}abz".utf8)
    if oneIn(2) { return (0..<below(4)).map { _ in pick(letters) } }
    let start = [UInt8](
      repeating: oneIn(3) ? 0 : 97, count: pick([210, 218, 430, 436, 437, 438, 439, 440, 600]))
    return start + (0..<below(4)).map { _ in pick(letters) }
  }
}
