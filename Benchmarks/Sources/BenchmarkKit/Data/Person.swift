package import Foundation

/// The row of the object workloads, computed from its id: every engine stores the same rows.
package struct Person: Codable, Equatable, Sendable {
  package let id: Int

  /// A name of 16 bytes, distinct for each id, in random order.
  package let name: String

  /// The age, from 0 to 99.
  package var age: Int
  package var score: Double
  package let created: Date

  /// Creates the person of an id.
  ///
  /// - Parameter age: Replaces the computed age.
  package init(id: Int, age: Int? = nil) {
    let bits = SplitMix.mix(UInt64(bitPattern: Int64(id)) &+ 1)
    self.id = id
    name = Self.name(bits)
    self.age = age ?? Int(bits % 100)
    score = Double(bits >> 40) / 16
    created = Date(timeIntervalSince1970: 1_600_000_000 + Double(id))
  }

  /// Creates a person from stored values.
  package init(id: Int, name: String, age: Int, score: Double, created: Date) {
    self.id = id
    self.name = name
    self.age = age
    self.score = score
    self.created = created
  }

  /// A person after an update, which changes the age of one person in a hundred.
  package static func updated(id: Int) -> Person {
    Person(id: id, age: id.isMultiple(of: 100) ? 100 : nil)
  }

  /// The name as 16 hexadecimal digits. Distinct numbers give distinct names.
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
