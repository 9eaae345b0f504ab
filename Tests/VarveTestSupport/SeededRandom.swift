import Foundation

/// Repeatable random choices (SplitMix64). The seed is the value of the variable `VARVE_SEED`, or
/// random. Tests print it in their expectations.
package struct SeededRandom: RandomNumberGenerator, CustomStringConvertible {
  package let seed: UInt64
  private var state: UInt64

  package init() { self.init(default: UInt64.random(in: 0...UInt64(UInt32.max))) }

  /// Creates a generator that makes the same choices each time, unless a seed is given.
  package init(default seed: UInt64) {
    let given = ProcessInfo.processInfo.environment["VARVE_SEED"].flatMap { UInt64($0) }
    self.init(seed: given ?? seed)
  }

  package init(seed: UInt64) {
    self.seed = seed
    state = seed &+ 0x9E37_79B9_7F4A_7C15
  }

  /// The setting that repeats the test.
  package var description: String { "VARVE_SEED=\(seed)" }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  package mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

  /// A number from 0 up to, but not including, the limit. Returns 0 if the limit is 0.
  package mutating func below(_ limit: Int) -> Int { .random(in: 0..<max(1, limit), using: &self) }

  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// A random item; nil when there are none.
  package mutating func element<C: RandomAccessCollection>(_ items: C) -> C.Element? {
    items.isEmpty ? nil : items[items.index(items.startIndex, offsetBy: below(items.count))]
  }

  /// A random element of `choices`, which must not be empty.
  package mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
