import VarveCore
public import Foundation
import Synchronization
package import VarveEncoding

/// A 12-byte identifier that sorts by the time of its making: four bytes of seconds since 1970, five
/// random bytes of the process, and a counter of three.
///
/// Thread safety: an immutable value.
public struct ObjectId: Hashable, Sendable {
  package let bytes: ObjectIdBytes

  package init(_ bytes: ObjectIdBytes) { self.bytes = bytes }

  /// Reads 24 hexadecimal digits.
  ///
  /// - Parameter string: the digits, in either case.
  /// - Throws: `Realm.Error` with the code `.invalidInput` for anything else.
  public init(string: String) throws {
    guard let bytes = ObjectIdBytes(hexadecimal: string) else {
      throw Realm.Error(
        .invalidInput, "An ObjectId has 24 hexadecimal digits.", value: string)
    }
    self.bytes = bytes
  }

  /// Reads 24 hexadecimal digits that stand in the program's text.
  ///
  /// ```swift
  /// let id = ObjectId("507f1f77bcf86cd799439011")
  /// ```
  /// - Parameter string: the digits, in either case.
  /// - Precondition: they are that.
  public init(_ string: StaticString) {
    guard let id = try? ObjectId(string: string.description) else {
      preconditionFailure("An ObjectId has 24 hexadecimal digits, and not: \(string)")
    }
    self = id
  }

  private static let processBytes = UInt64.random(in: 0..<(1 << 40))
  private static let counter = Atomic<UInt32>(UInt32.random(in: 0..<(1 << 24)))

  /// A new identifier.
  public static func generate() -> ObjectId {
    let seconds = UInt32(truncatingIfNeeded: Int64(Date().timeIntervalSince1970))
    let count = counter.wrappingAdd(1, ordering: .relaxed).newValue & 0xFF_FFFF
    let high = UInt64(seconds) << 32 | processBytes >> 8
    let low = UInt32(truncatingIfNeeded: processBytes & 0xFF) << 24 | count
    return ObjectId(ObjectIdBytes(high: high, low: low))
  }

  /// The identifier of zeros.
  public init() { self.init(ObjectIdBytes(high: 0, low: 0)) }

  /// A new identifier, of parts.
  ///
  /// - Parameters:
  ///   - timestamp: when it is made, to the second.
  ///   - machineId: of which the lowest 24 bits are taken.
  ///   - processId: of which the lowest 16 bits are taken.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let seconds = UInt32(truncatingIfNeeded: Int64(timestamp.timeIntervalSince1970))
    let count = ObjectId.counter.wrappingAdd(1, ordering: .relaxed).newValue & 0xFF_FFFF
    let maker = UInt64(machineId & 0xFF_FFFF) << 16 | UInt64(processId & 0xFFFF)
    self.init(
      ObjectIdBytes(
        high: UInt64(seconds) << 32 | maker >> 8,
        low: UInt32(truncatingIfNeeded: maker & 0xFF) << 24 | count))
  }

  /// When the identifier was made, to the second.
  public var timestamp: Date { Date(timeIntervalSince1970: Double(bytes.high >> 32)) }

  /// The 24 hexadecimal digits, in lower case.
  public var stringValue: String { bytes.description }
}

extension ObjectId: Comparable {
  /// Orders by bytes, which is by time first.
  public static func < (left: ObjectId, right: ObjectId) -> Bool { left.bytes < right.bytes }
}

extension ObjectId: CustomStringConvertible, LosslessStringConvertible {
  /// The 24 hexadecimal digits.
  public var description: String { stringValue }

  /// Reads 24 hexadecimal digits; nil for anything else.
  @_disfavoredOverload
  public init?(_ description: String) { try? self.init(string: description) }
}

extension ObjectId: Codable {
  /// Reads the hexadecimal digits.
  public init(from decoder: any Decoder) throws {
    try self.init(string: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
