import Varve
import VarveCore
import VarveEncoding
import VarveStorage

/// The number, sums, averages and extremes of objects, for all of them or for each group.
///
/// Memory: O(groups).
struct ObjectSummary {
  private typealias Function = SummaryOptions.Function

  private struct Property {
    let path: PropertyPath
    let property: StoredProperty
  }

  /// The values of one property of the objects of a group.
  private enum Accumulator {
    case sum(ValueSum)
    case extreme(ValueExtreme)

    mutating func add(_ value: Value) {
      switch self {
      case .sum(var sum):
        sum.add(value)
        self = .sum(sum)
      case .extreme(var extreme):
        extreme.add(value)
        self = .extreme(extreme)
      }
    }
  }

  private struct Group {
    var count = 0
    var accumulators: [Accumulator]

    mutating func add(_ values: [Value]) {
      count += 1
      for (index, value) in values.enumerated() { accumulators[index].add(value) }
    }
  }

  /// The columns of the rows: those of the groups, the count, and the aggregates.
  let columns: [Column]
  private let groupBy: [Property]
  private let hasCount: Bool
  private let aggregates: [(function: Function, property: Property)]
  private let snapshot: Snapshot
  private let empty: [Accumulator]
  private var groups: [[Value]: Group] = [:]

  /// - Throws: ``ToolError`` for an unknown property; a `Failure` for a property that cannot be
  ///   aggregated or grouped by.
  init(_ options: SummaryOptions, of schema: ClassSchema, in version: StoreVersion) throws {
    let model = version.schema.model(of: schema)
    func property(_ name: String) throws -> Property {
      let names = try schema.path(name)
      let path = try PropertyPath(names, of: model, version.scope)
      guard let property = path.last?.property, property.kind.collection == .none else {
        throw ToolError(
          "A collection has neither a sum nor an order.\n"
            + "  \(schema.name.printable).\(name.printable)")
      }
      return Property(path: path, property: property)
    }
    groupBy = try options.groupBy.map(property)
    hasCount = options.count || options.aggregates.isEmpty
    var aggregates: [(function: Function, property: Property)] = []
    for option in options.aggregates {
      let (function, name) = (option.function, option.name)
      let found = try property(name)
      let type = found.property.kind.type
      let isPossible: Bool =
        switch function {
        case .sum, .average: type.isNumber || type == .mixed
        case .min, .max: type != .link
        }
      guard isPossible else {
        throw ToolError(
          "The values of the property have no \(function.rawValue).\n"
            + "  \(schema.name.printable).\(name.printable)")
      }
      aggregates.append((function, found))
    }
    self.aggregates = aggregates
    empty = aggregates.map { function, found in
      switch function {
      case .sum, .average: .sum(ValueSum())
      case .min: .extreme(ValueExtreme(.least, of: found.property.kind.type))
      case .max: .extreme(ValueExtreme(.greatest, of: found.property.kind.type))
      }
    }
    columns =
      zip(options.groupBy, groupBy).map { Column(title: $0, isNumeric: $1.property.isNumeric) }
      + (hasCount ? [Column(title: "count", isNumeric: true)] : [])
      + zip(options.aggregates, aggregates).map { option, aggregate in
        Column(
          title: "\(option.function.rawValue)(\(option.name))",
          isNumeric: aggregate.property.property.isNumeric)
      }
    snapshot = version.snapshot
    if groupBy.isEmpty { groups[[]] = Group(accumulators: empty) }
  }

  /// Whether nothing but the number of all objects is requested.
  var isPlainCount: Bool { groupBy.isEmpty && aggregates.isEmpty }

  /// Adds objects to the count of all.
  mutating func add(count: Int) { groups[[], default: Group(accumulators: empty)].count += count }

  /// Adds an object.
  ///
  /// - Throws: `.corrupted`.
  mutating func add(_ row: RowReader, _ id: UInt64) throws(Failure) {
    var key: [Value] = []
    key.reserveCapacity(groupBy.count)
    for column in groupBy { key.append(try column.path.verifiedValue(of: row, id, snapshot)) }
    var values: [Value] = []
    values.reserveCapacity(aggregates.count)
    for aggregate in aggregates {
      values.append(try aggregate.property.path.verifiedValue(of: row, id, snapshot))
    }
    groups[key, default: Group(accumulators: empty)].add(values)
  }

  /// Returns a row for each group.
  ///
  /// - Parameter keys: Titles of columns; the values of the groups decide where they are equal.
  /// - Throws: ``ToolError`` for another name.
  func rows(sortedBy keys: [SortKeyText]) throws(ToolError) -> [[Cell]] {
    var order: [(index: Int, isAscending: Bool)] = []
    for key in keys {
      guard let index = columns.firstIndex(where: { $0.title == key.name }) else {
        throw ToolError(
          "The output has no such column.\n  \(key.name.printable)\n  columns: "
            + columns.map(\.title.printable).joined(separator: ", "))
      }
      order.append((index, key.isAscending))
    }
    order += groupBy.indices.map { ($0, true) }
    let rows = groups.map { key, group in key + values(of: group) }
    let sorted = rows.sorted { left, right in
      for (index, isAscending) in order {
        switch SortOrder.order(left[index], right[index]) {
        case .ascending: return isAscending
        case .descending: return !isAscending
        case .equal, .unordered: continue
        }
      }
      return false
    }
    return sorted.map(cells)
  }

  private func values(of group: Group) -> [Value] {
    var values: [Value] = hasCount ? [.int(Int64(group.count))] : []
    for (aggregate, accumulator) in zip(aggregates, group.accumulators) {
      values.append(Self.value(accumulator, aggregate.function, aggregate.property.property))
    }
    return values
  }

  private static func value(
    _ accumulator: Accumulator, _ function: Function, _ property: StoredProperty
  ) -> Value {
    let type = property.kind.type
    switch accumulator {
    case .extreme(let extreme): return extreme.value ?? .null
    case .sum(let sum) where function == .sum:
      // The sum of narrow integers is wider than they are.
      if type.isInteger, let wide = sum.wideInteger { return .decimal(wide) }
      return sum.value(as: type.isInteger ? .int64 : type)
    case .sum(let sum) where type == .decimal128:
      return sum.decimalAverage.map(Value.decimal) ?? .null
    case .sum(let sum): return sum.average.map(Value.double) ?? .null
    }
  }

  private func cells(_ values: [Value]) -> [Cell] {
    var properties: [StoredProperty?] = groupBy.map(\.property)
    if hasCount { properties.append(nil) }
    properties += aggregates.map(\.property.property)
    return zip(values, properties).map { value, property in
      guard let property else {
        guard case .int(let count) = value else { return .count(0) }
        return .count(Int(count))
      }
      return .value(value, property)
    }
  }
}
