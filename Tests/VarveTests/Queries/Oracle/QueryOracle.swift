import Foundation
@testable import VarveCore
import VarveEncoding

/// Determines the objects and values that satisfy a condition, from the condition and plain values
/// alone.
final class QueryOracle {
  /// Every object that exists.
  let objects: [OracleObject]
  private let referred: [ObjectIdentifier: OracleObject]
  /// The number of times each operation was true and false.
  var outcomes: [Condition.Operation: (held: Int, failed: Int)] = [:]

  /// `deleted` are deleted objects that conditions still refer to.
  init(_ objects: [OracleObject], deleted: [OracleObject]) {
    self.objects = objects
    var referred: [ObjectIdentifier: OracleObject] = [:]
    for object in objects + deleted {
      if let reference = object.reference { referred[ObjectIdentifier(reference)] = object }
    }
    self.referred = referred
  }

  func matches(_ condition: Condition, _ subject: OracleValue) -> Bool {
    matches(condition.root, subject)
  }

  private func matches(_ node: ConditionNode, _ subject: OracleValue) -> Bool {
    switch node.kind {
    case .constant(let value): value
    case .comparison(let comparison): matches(comparison, subject)
    case .and: part(node.left, subject) && part(node.right, subject)
    case .or: part(node.left, subject) || part(node.right, subject)
    case .not: !part(node.left, subject)
    case .same: part(node.left, subject) == part(node.right, subject)
    }
  }

  private func part(_ node: ConditionNode?, _ subject: OracleValue) -> Bool {
    node.map { matches($0, subject) } ?? false
  }

  private func matches(_ comparison: Condition.Comparison, _ subject: OracleValue) -> Bool {
    let left = values(comparison.left, subject)
    let tests: [Bool]
    if case .constants(let constants) = comparison.right {
      let right = constants.map(value)
      tests = left.map { left in
        switch comparison.operation {
        case .in: right.contains { left.satisfies(.in, $0, comparison.folding) }
        case .between:
          left.satisfies(.greaterOrEqual, right[0], [])
            && left.satisfies(.lessOrEqual, right[1], [])
        default: false
        }
      }
    } else {
      let right = values(comparison.right, subject)
      tests = left.flatMap { left in
        right.map { left.satisfies(comparison.operation, $0, comparison.folding) }
      }
    }
    let result =
      switch comparison.quantifier {
      case .any: tests.contains(true)
      case .all: !tests.contains(false)
      case .none: !tests.contains(true)
      }
    outcomes[comparison.operation, default: (0, 0)].held += result ? 1 : 0
    outcomes[comparison.operation, default: (0, 0)].failed += result ? 0 : 1
    return result
  }

  /// The values of an expression: one, or all values that a path leads to.
  func values(_ expression: QueryExpression, _ subject: OracleValue) -> [OracleValue] {
    switch expression {
    case .constant(let constant): return [value(constant)]
    case .path(let path): return values(path, subject)
    case .aggregate(let aggregate): return [value(of: aggregate, subject)]
    case .matchCount(let path, let condition):
      // For a null in place of an object, every property is null.
      let count = values(path, subject).count { matches(condition, $0) }
      return [.int(Int64(count))]
    case .arithmetic(let operation, let left, let right):
      guard let a = values(left, subject).first?.number,
        let b = values(right, subject).first?.number
      else { return [.null] }
      return [a.combined(operation, b)]
    case .constants, .region: return [.null]
    }
  }

  private func value(_ constant: Condition.Constant) -> OracleValue {
    switch constant {
    case .value(let value): OracleValue(value)
    case .object(let reference): referred[ObjectIdentifier(reference)].map { .object($0) } ?? .null
    }
  }
}

extension OracleValue {
  /// A constant of a condition.
  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(Array(value))
    case .date(let value): self = .date(value.timeIntervalSinceReferenceDate)
    case .uuid(let value): self = .uuid(withUnsafeBytes(of: value.uuid) { Array($0) })
    case .objectId(let value): self = .objectId(value.bytes)
    case .decimal(let value): self = .decimal(value.description)
    case .link, .nested: preconditionFailure("Objects are constants by reference.")
    }
  }

  /// The value as a constant of a condition.
  var constant: Condition.Constant {
    switch self {
    case .null: return .value(.null)
    case .bool(let value): return .value(.bool(value))
    case .number(let number):
      switch number.kind {
      case .int: return .value(.int(number.integer))
      case .float: return .value(.float(Float(number.double)))
      case .double: return .value(.double(number.double))
      case .decimal: return .value(.decimal(Decimal128Bits(number.text) ?? .nan))
      }
    case .string(let value): return .value(.string(value))
    case .data(let bytes): return .value(.data(Data(bytes)))
    case .date(let seconds): return .value(.date(Date(timeIntervalSinceReferenceDate: seconds)))
    case .uuid(let bytes): return .value(.uuid(UUID(bytes: bytes)))
    case .objectId(let bytes):
      return .value(.objectId(ObjectIdBytes(bytes) ?? .zero))
    case .object(let object):
      return object.reference.map { .object($0) } ?? .value(ObjectReference.nowhere)
    case .collection: preconditionFailure("Collections are no constants.")
    }
  }
}

extension UUID {
  init(bytes: [UInt8]) {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
    self.init(uuid: uuid)
  }
}
