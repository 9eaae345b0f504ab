package import Foundation

/// The row of the object workloads, computed from its id: every engine stores the same.
package struct Person: Codable, Equatable, Sendable {
  package let id: Int

  /// 16 bytes, different for each id, in no order.
  package let name: String

  /// From 0 to 99.
  package var age: Int
  package var score: Double
  package let created: Date

  /// - Parameters:
  ///   - id: the number; everything else follows from it.
  ///   - age: another age than follows.
  package init(id: Int, age: Int? = nil) {
    let bits = SplitMix.mix(UInt64(bitPattern: Int64(id)) &+ 1)
    self.id = id
    name = Self.name(bits)
    self.age = age ?? Int(bits % 100)
    score = Double(bits >> 40) / 16
    created = Date(timeIntervalSince1970: 1_600_000_000 + Double(id))
  }

  /// A person as a store has it.
  package init(id: Int, name: String, age: Int, score: Double, created: Date) {
    self.id = id
    self.name = name
    self.age = age
    self.score = score
    self.created = created
  }

  /// A person after an update: one of a hundred has another age.
  package static func updated(id: Int) -> Person {
    Person(id: id, age: id.isMultiple(of: 100) ? 100 : nil)
  }

  /// 16 hexadecimal digits of different numbers are different.
  package static func name(_ bits: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { buffer in
      for index in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: bits >> UInt64(60 - index * 4)) & 15
        buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      }
      return 16
    }
  }
}
