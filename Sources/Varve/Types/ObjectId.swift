import VarveCore
public import Foundation
import Synchronization
package import VarveEncoding

/// A 12-byte identifier that sorts by creation time. It consists of four bytes with the seconds
/// since 1970, five random bytes of the process, and a three-byte counter.
public struct ObjectId: Hashable, Sendable {
  package let bytes: ObjectIdBytes

  package init(_ bytes: ObjectIdBytes) { self.bytes = bytes }

  /// Parses 24 hexadecimal digits.
  ///
  /// - Parameter string: The digits, in lower or upper case.
  /// - Throws: `Realm.Error` with the code `.invalidInput` for any other text.
  public init(string: String) throws {
    guard let bytes = ObjectIdBytes(hexadecimal: string) else {
      throw Realm.Error(
        .invalidInput, "An ObjectId requires 24 hexadecimal digits.", value: string)
    }
    self.bytes = bytes
  }

  /// Creates an identifier from a literal of 24 hexadecimal digits.
  ///
  /// ```swift
  /// let id = ObjectId("507f1f77bcf86cd799439011")
  /// ```
  /// - Parameter string: The digits, in lower or upper case.
  /// - Precondition: The literal has 24 hexadecimal digits.
  public init(_ string: StaticString) {
    guard let id = try? ObjectId(string: string.description) else {
      Misuse.trap("An ObjectId requires 24 hexadecimal digits, not: \(string)")
    }
    self = id
  }

  private static let processBytes = UInt64.random(in: 0..<(1 << 40))
  private static let counter = Atomic<UInt32>(UInt32.random(in: 0..<(1 << 24)))

  /// Returns a new identifier.
  public static func generate() -> ObjectId {
    let seconds = UInt32(truncatingIfNeeded: Int64(Date().timeIntervalSince1970))
    let count = counter.wrappingAdd(1, ordering: .relaxed).newValue & 0xFF_FFFF
    let high = UInt64(seconds) << 32 | processBytes >> 8
    let low = UInt32(truncatingIfNeeded: processBytes & 0xFF) << 24 | count
    return ObjectId(ObjectIdBytes(high: high, low: low))
  }

  /// Creates the identifier whose bytes are all zero.
  public init() { self.init(ObjectIdBytes(high: 0, low: 0)) }

  /// Creates a new identifier from its parts.
  ///
  /// - Parameters:
  ///   - timestamp: The creation time, which is stored in seconds.
  ///   - machineId: A machine identifier. The lowest 24 bits are used.
  ///   - processId: A process identifier. The lowest 16 bits are used.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let seconds = UInt32(truncatingIfNeeded: Int64(timestamp.timeIntervalSince1970))
    let count = ObjectId.counter.wrappingAdd(1, ordering: .relaxed).newValue & 0xFF_FFFF
    let maker = UInt64(machineId & 0xFF_FFFF) << 16 | UInt64(processId & 0xFFFF)
    self.init(
      ObjectIdBytes(
        high: UInt64(seconds) << 32 | maker >> 8,
        low: UInt32(truncatingIfNeeded: maker & 0xFF) << 24 | count))
  }

  /// The creation time, with a resolution of seconds.
  public var timestamp: Date { Date(timeIntervalSince1970: Double(bytes.high >> 32)) }

  /// The 24 hexadecimal digits, in lower case.
  public var stringValue: String { bytes.description }
}

extension ObjectId: Comparable {
  /// Orders identifiers by their bytes, and therefore by creation time first.
  public static func < (left: ObjectId, right: ObjectId) -> Bool { left.bytes < right.bytes }
}

extension ObjectId: CustomStringConvertible, LosslessStringConvertible {
  /// The 24 hexadecimal digits.
  public var description: String { stringValue }

  /// Parses 24 hexadecimal digits. Returns nil for any other text.
  @_disfavoredOverload
  public init?(_ description: String) { try? self.init(string: description) }
}

extension ObjectId: Codable {
  /// Decodes the hexadecimal digits.
  public init(from decoder: any Decoder) throws {
    try self.init(string: try decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
