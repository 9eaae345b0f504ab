import Foundation
import VarveEncoding
import VarveTestSupport

extension SeededRandom {
  static let storedTypes: [PropertyType] = PropertyType.allCases.filter { $0 != .mixed }

  /// A value of a type, often a limit.
  mutating func value(_ type: PropertyType) -> Value {
    switch type {
    case .bool: .bool(Bool.random(using: &self))
    case .int8: .int(Int64(Int8(truncatingIfNeeded: integer())))
    case .int16: .int(Int64(Int16(truncatingIfNeeded: integer())))
    case .int32: .int(Int64(Int32(truncatingIfNeeded: integer())))
    case .int64: .int(integer())
    case .float: .float(Float(double()))
    case .double: .double(double())
    case .string: .string(string())
    case .data: .data(Data(data()))
    case .date: .date(Date(timeIntervalSinceReferenceDate: double()))
    case .uuid: .uuid(uuid())
    case .objectId: .objectId(ObjectIdBytes(high: next() >> UInt64(int(0...63)), low: 7))
    case .link: .link(classID: UInt32(int(0...3)), objectID: next() >> UInt64(int(0...63)))
    case .decimal128: .decimal(decimal())
    case .mixed where oneIn(12):
      .nested(
        pick([.list, .dictionary]),
        CollectionSlot(id: UInt64(int(1...9)), revision: UInt32(int(0...9)), count: 0))
    case .mixed: value(pick(Self.storedTypes))
    }
  }

  mutating func integer() -> Int64 {
    let edges: [Int64] = [
      0, 1, -1, .max, .min, .max - 1, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, 1 << 62, 127, 128, 255,
    ]
    switch int(0...3) {
    case 0: return pick(edges)
    case 1: return pick(edges) &+ Int64(int(-3...3))
    default: return Int64(bitPattern: next()) >> Int64(int(0...63))
    }
  }

  mutating func double() -> Double {
    let edges: [Double] = [
      0, -0.0, 1, -1, .infinity, -.infinity, .nan, -.nan, .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0x1p53, 0x1p63,
      -0x1p63, .signalingNaN,
    ]
    switch int(0...3) {
    case 0: return pick(edges)
    case 1: return Double(integer())
    case 2: return Double(int(-20...20)) / 4
    default: return Double(bitPattern: next())
    }
  }

  mutating func decimal() -> Decimal128Bits {
    switch int(0...7) {
    case 0: pick([.nan, .infinity, .negativeInfinity, .zero, .greatestFinite])
    case 1: Decimal128Bits(integer())
    case 2: Decimal128Bits(shortest: double())
    default: finiteDecimal()
    }
  }

  mutating func string() -> String {
    let letters = ["a", "b", "\0", "é", "e\u{301}", "\u{10FFFF}", "z", "\u{1}", " "]
    return (0..<int(0...6)).map { _ in pick(letters) }.joined()
  }

  mutating func data() -> [UInt8] {
    (0..<int(0...6)).map { _ in pick([0, 1, 2, 0xFE, 0xFF, 0x41]) }
  }

  mutating func uuid() -> UUID {
    let b = bytes(16)
    return UUID(
      uuid: (
        oneIn(2) ? 0 : b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11],
        b[12], b[13], b[14], b[15]
      ))
  }

  /// Applies a random change: a flipped bit, a new byte, a truncation or an insertion.
  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<int(1...3) {
      guard !bytes.isEmpty else { return [UInt8(int(0...255))] }
      let index = int(0...bytes.count - 1)
      switch int(0...5) {
      case 0: bytes.removeLast(bytes.count - index)
      case 1: bytes.insert(UInt8(int(0...255)), at: index)
      case 2: bytes[index] = pick([0, 1, 2, 0x7F, 0x80, 0xFF])
      case 3: bytes.remove(at: index)
      default: bytes[index] ^= 1 << UInt8(int(0...7))
      }
    }
    return bytes
  }
}
