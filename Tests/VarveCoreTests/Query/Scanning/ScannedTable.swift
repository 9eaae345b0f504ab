import Foundation
import VarveCore
import VarveEncoding
import VarveStorage
import VarveTestSupport

/// A table with rows of any layouts, in a separate file without a catalog.
final class ScannedTable {
  let schema: ClassSchema
  let environment: Environment
  private let directory: URL
  private let buffer: RowBuffer
  private var nextBlobID: UInt64 = 1

  /// Rows of the first layout have the properties up to `oldCount`, and rows of the second layout
  /// have all.
  init(_ properties: [StoredProperty], oldCount: Int) throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "varve-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    schema = try ClassSchema(
      StoredClass(
        id: 3, name: "Scanned", primaryKeyPropertyID: properties[0].isPrimaryKey ? 0 : nil,
        nextPropertyID: UInt32(properties.count), properties: properties,
        layouts: [
          StoredLayout(id: 1, properties: Array(properties.prefix(oldCount))),
          StoredLayout(id: 2, properties: properties),
        ], currentLayoutID: 2))
    buffer = RowBuffer(layout: schema.currentLayout)
    var options = EnvironmentOptions(path: directory.appending(path: "test.varve").path)
    options.durability = .none
    options.mapSize = 1 << 30
    environment = try Environment.open(options)
  }

  /// Checks the file, closes it and removes it.
  func end() throws {
    try StructureWalk.check(try environment.snapshot())
    try environment.close()
    try FileManager.default.removeItem(at: directory)
  }

  func begin() throws -> WriteTransaction {
    let transaction = try environment.beginWrite(timeout: .seconds(30))
    _ = try transaction.openTable(schema.table, create: true)
    return transaction
  }

  /// Stores a row. Strings and data that are too long for the row go into blobs.
  func put(
    _ id: UInt64, layout layoutID: UInt16 = 2, isTouched: Bool = false,
    in transaction: WriteTransaction, _ value: (StoredProperty) -> Value
  ) throws {
    guard let layout = schema.layouts[layoutID] else { return }
    buffer.begin(layout: layout)
    for field in layout.fields where field.isStored && field.kind.collection == .none {
      guard let property = schema.property(id: field.propertyID) else { continue }
      switch value(property) {
      case .null where field.nullBit < 0: break
      case .string(let string) where field.kind.type == .string && string.utf8.count > 512:
        buffer.setBlob(try blob(Data(string.utf8), transaction), field)
      case .data(let data) where field.kind.type == .data && data.count > 512:
        buffer.setBlob(try blob(data, transaction), field)
      case let value: try buffer.set(value, field)
      }
    }
    if isTouched { buffer.touch(propertyID: 1, versionLow: 7) }
    try buffer.finish(classID: schema.id, objectID: id) {
      try transaction.put(schema.table, id: id, $0)
    }
  }

  private func blob(_ data: Data, _ transaction: WriteTransaction) throws -> BlobReference {
    let id = nextBlobID
    nextBlobID += 1
    var key = OrderedKey()
    BlobChunkKey(blobID: id, offset: 0).encode(into: &key)
    try data.withUnsafeBytes { bytes in
      try key.withUnsafeBytes { try transaction.put(.blobs, key: $0, bytes) }
    }
    let checksum = data.withUnsafeBytes { CRC32C.checksum($0) }
    return BlobReference(id: id, byteCount: UInt32(data.count), checksum: checksum)
  }

  /// The ids of all rows.
  func ids(_ reader: any TableReader) -> [UInt64] {
    var cursor = reader.cursor(schema.table)
    var ids: [UInt64] = []
    while cursor.next() { ids.append(cursor.id) }
    return ids
  }
}

/// Values of all types, including the limits of comparisons.
struct ScannedValues {
  static let linkedClass: UInt32 = 9
  private static let integers: [Int64] = [
    .min, -(1 << 53) - 1, -129, -1, 0, 1, 5, 127, 200, 40_000, 1 << 31, 1 << 53, 1 << 53 + 1, .max,
  ]
  private static let doubles: [Double] = [
    .nan, -.infinity, -1e300, -2.5, -0.0, 0, 0.1, 1, 2.5, 127, 9_007_199_254_740_992, 1e19,
    .infinity, .leastNonzeroMagnitude,
  ]
  private static let strings = [
    "", "a", "ab", "abab", "b", "ä", "a\u{308}", "zz", "ba" + String(repeating: "a", count: 700),
    String(repeating: "c", count: 500),
  ]

  static func values(_ type: PropertyType) -> [Value] {
    switch type {
    case .bool: return [.bool(false), .bool(true)]
    case .int8, .int16, .int32, .int64:
      let unused = 64 - 8 * (type.fixedWidth ?? 8)
      return integers.filter { ($0 << unused) >> unused == $0 }.map { .int($0) }
    case .float: return doubles.map { .float(Float($0)) }
    case .double: return doubles.map { .double($0) }
    case .string: return strings.map { .string($0) }
    case .data: return strings.map { .data(Data($0.utf8)) }
    case .date: return doubles.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .uuid: return [0, 1, 0x80, 0xFF].map { .uuid(uuid($0)) }
    case .objectId:
      return [0, 1, 1 << 63, .max].map { .objectId(ObjectIdBytes(high: $0, low: 5)) }
    case .decimal128:
      return [
        "NaN", "-Inf", "-1E+30", "0", "0.1", "1.00", "2.5", "9007199254740993", "1E+19", "Inf",
      ]
      .compactMap { Decimal128Bits($0).map { .decimal($0) } }
    case .mixed:
      return [.null, .int(5), .double(2.5), .string("ab"), .bool(true), .data(Data([1]))]
        + values(.decimal128) + values(.link)
    case .link: return [0, 1, 7, .max].map { .link(classID: linkedClass, objectID: $0) }
    }
  }

  private static func uuid(_ byte: UInt8) -> UUID {
    UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255 - byte))
  }

  /// A constant to compare values of a type with: mostly a comparable one.
  static func constant(for type: PropertyType, _ random: inout SeededRandom) -> Value {
    if random.oneIn(10) { return .null }
    if random.oneIn(12) { return .link(classID: linkedClass + 1, objectID: 1) }
    let numbers: [PropertyType] = [.int64, .double, .float, .decimal128]
    let isNumber = type.isInteger || numbers.contains(type)
    let other = isNumber || type == .mixed ? random.pick(numbers) : type
    return random.pick(values(random.oneIn(8) ? random.pick(PropertyType.allCases) : other))
  }

  /// A property of each type, and a nullable one. Some are added after the first rows.
  static let properties: [StoredProperty] = {
    var properties = [
      StoredProperty(
        id: 0, name: "id", kind: PropertyKind(type: .int64), isPrimaryKey: true)
    ]
    for round in 0..<4 {
      for type in PropertyType.allCases {
        let isNullable = round % 2 == 1
        let id = UInt32(properties.count)
        properties.append(
          StoredProperty(
            id: id, name: "p\(id)", kind: PropertyKind(type: type, isNullable: isNullable),
            targetClassID: type == .link ? linkedClass : nil,
            addedConstant: round == 3 ? values(type).last : nil))
      }
    }
    return properties
  }()

  /// The number of properties that the first layout has.
  static let oldCount = 1 + 2 * PropertyType.allCases.count

  /// The operations that scans use to compare a property with a constant.
  static let operations: [Condition.Operation] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith,
    .contains,
  ]

  /// A predicate with constants that suit a property: a comparison with an operation, else
  /// `BETWEEN` or `IN`.
  static func predicate(
    _ operation: Condition.Operation?, of property: StoredProperty, _ random: inout SeededRandom
  ) -> PropertyPredicate {
    let type = property.kind.type
    let path = QueryPath([property.name])
    if let operation {
      return PropertyPredicate(path, .compared(operation, constant(for: type, &random)))
    }
    if random.oneIn(2) {
      let bounds = (constant(for: type, &random), constant(for: type, &random))
      return PropertyPredicate(path, .between(bounds.0, bounds.1))
    }
    return PropertyPredicate(
      path, .among((0..<random.below(7)).map { _ in constant(for: type, &random) }))
  }
}
