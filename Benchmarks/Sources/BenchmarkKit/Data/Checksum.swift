package import Foundation

/// The sum of everything a workload has read, so that an engine can neither skip work nor give a
/// wrong answer unnoticed.
package struct Checksum: Codable, Equatable, Sendable, CustomStringConvertible {
  package var count = 0
  package var integers = 0
  package var bytes = 0

  /// Scores are multiples of 1/16 below 2^20, so their sums are exact in any order.
  package var scores = 0.0

  package init() {}

  /// Adds three properties of a person.
  @inlinable
  package mutating func add(name: String, age: Int, score: Double) {
    count += 1
    integers &+= age
    bytes &+= name.utf8.count
    scores += score
  }

  /// Adds three properties of a person.
  package mutating func add(_ person: Person) {
    add(name: person.name, age: person.age, score: person.score)
  }

  /// Adds a number.
  @inlinable
  package mutating func add(_ number: Int) {
    count += 1
    integers &+= number
  }

  /// Adds a number. Its position affects the sum.
  @inlinable
  package mutating func add(next number: Int) {
    count += 1
    integers = integers &* 31 &+ number
  }

  /// Adds a key and its value.
  @inlinable
  package mutating func add(key: String, value: Int) {
    add(value)
    bytes &+= key.utf8.count
  }

  /// Adds the length of a blob, and its first and its last byte.
  @inlinable
  package mutating func add(blob: UnsafeRawBufferPointer) {
    count += 1
    bytes &+= blob.count
    if let first = blob.first, let last = blob.last { integers &+= Int(first) + Int(last) }
  }

  /// Adds a blob.
  @inlinable
  package mutating func add(blob: Data) {
    blob.withUnsafeBytes { add(blob: $0) }
  }

  /// Adds the length of a blob, and all of its bytes: the sum of its words of eight bytes, and of the
  /// bytes of the rest.
  @inlinable
  package mutating func add(allOf blob: UnsafeRawBufferPointer) {
    count += 1
    bytes &+= blob.count
    guard let start = blob.baseAddress else { return }
    var sum: UInt64 = 0
    let words = blob.count & ~7
    for offset in stride(from: 0, to: words, by: 8) {
      sum &+= UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    for offset in words..<blob.count {
      sum &+= UInt64(start.load(fromByteOffset: offset, as: UInt8.self))
    }
    integers &+= Int(bitPattern: UInt(sum))
  }

  package var description: String {
    "count \(count), integers \(integers), bytes \(bytes), scores \(scores)"
  }
}
