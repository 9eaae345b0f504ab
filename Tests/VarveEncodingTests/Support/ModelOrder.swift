import Foundation
import VarveEncoding

enum ByteArrayOrder {
  static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
  }
}

/// The order of two values as the format document describes it, implemented without the encoded
/// bytes.
func modelOrder(_ a: Value, _ b: Value) -> Int {
  let ranks = (rank(a), rank(b))
  if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? -1 : 1 }
  switch (a, b) {
  case (.bool(let a), .bool(let b)): return compare(a ? 1 : 0, b ? 1 : 0)
  case (.string(let a), .string(let b)): return ByteArrayOrder.compare(Array(a.utf8), Array(b.utf8))
  case (.data(let a), .data(let b)): return ByteArrayOrder.compare(Array(a), Array(b))
  case (.date(let a), .date(let b)):
    return compareDoubles(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
  case (.uuid(let a), .uuid(let b)):
    return ByteArrayOrder.compare(
      withUnsafeBytes(of: a.uuid) { Array($0) }, withUnsafeBytes(of: b.uuid) { Array($0) })
  case (.objectId(let a), .objectId(let b)): return ByteArrayOrder.compare(a.bytes, b.bytes)
  case (.link(let classA, let a), .link(let classB, let b)):
    return classA == classB ? compare(a, b) : compare(classA, classB)
  case (.nested(_, let a), .nested(_, let b)): return compare(a.id, b.id)
  default: return compareNumbers(a, b)
  }
}

private func rank(_ value: Value) -> Int {
  switch value {
  case .null: 0
  case .bool: 1
  case .int, .float, .double, .decimal: 2
  case .string: 3
  case .data: 4
  case .date: 5
  case .objectId: 6
  case .uuid: 7
  case .link: 8
  case .nested(let kind, _): kind == .list ? 9 : 10
  }
}

private func compare<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }

private func compareDoubles(_ a: Double, _ b: Double) -> Int {
  if a.isNaN || b.isNaN { return compare(a.isNaN ? 0 : 1, b.isNaN ? 0 : 1) }
  return compare(a, b)
}

private func compareNumbers(_ a: Value, _ b: Value) -> Int {
  switch (a, b) {
  case (.decimal, _), (_, .decimal):
    return ends(a, b) ?? number(a).order(number(b))
  case (.int(let a), .int(let b)): return compare(a, b)
  case (.int(let a), _): return -compareDouble(double(b), with: a)
  case (_, .int(let b)): return compareDouble(double(a), with: b)
  default: return compareDoubles(double(a), double(b))
  }
}

/// The order of two numbers of which one is NaN or infinite; nil when both are finite.
private func ends(_ a: Value, _ b: Value) -> Int? {
  let ranks = [a, b].map { value -> Int in
    let double: Double = if case .decimal(let value) = value { value.double } else { double(value) }
    if double.isNaN { return -2 }
    if case .decimal(let value) = value, value.isFinite { return 0 }
    return double.isInfinite ? (double < 0 ? -1 : 1) : 0
  }
  return ranks == [0, 0] ? nil : compare(ranks[0], ranks[1])
}

private func number(_ value: Value) -> ExactNumber {
  switch value {
  case .int(let value): ExactNumber(value)
  case .decimal(let value): ExactNumber("\(value)") ?? ExactNumber(0 as Int64)
  default: ExactNumber(double(value))
  }
}

private func double(_ value: Value) -> Double {
  switch value {
  case .float(let value): Double(value)
  case .double(let value): value
  default: 0
  }
}

/// Compares exactly: the Double is split into its whole part, which fits or decides, and the rest.
private func compareDouble(_ a: Double, with b: Int64) -> Int {
  if a.isNaN || a < -0x1p63 { return -1 }
  if a >= 0x1p63 { return 1 }
  let whole = Int64(a.rounded(.down))
  return whole == b ? (a > a.rounded(.down) ? 1 : 0) : compare(whole, b)
}
