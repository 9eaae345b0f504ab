import Foundation

/// Random choices that can be made again (SplitMix64): the seed is that of the variable `VARVE_SEED`,
/// else a random one. Tests name it in what they expect.
package struct SeededRandom: RandomNumberGenerator, CustomStringConvertible {
  package let seed: UInt64
  private var state: UInt64

  package init() { self.init(default: UInt64.random(in: 0...UInt64(UInt32.max))) }

  /// For a test that makes the same choices each time, unless a seed is given.
  package init(default seed: UInt64) {
    let given = ProcessInfo.processInfo.environment["VARVE_SEED"].flatMap { UInt64($0) }
    self.init(seed: given ?? seed)
  }

  package init(seed: UInt64) {
    self.seed = seed
    state = seed &+ 0x9E37_79B9_7F4A_7C15
  }

  /// How to run the test again.
  package var description: String { "VARVE_SEED=\(seed)" }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  package mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

  /// A number from 0 to below the limit; 0 where the limit is 0.
  package mutating func below(_ limit: Int) -> Int { .random(in: 0..<max(1, limit), using: &self) }

  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of the items; nil when there are none.
  package mutating func element<C: RandomAccessCollection>(_ items: C) -> C.Element? {
    items.isEmpty ? nil : items[items.index(items.startIndex, offsetBy: below(items.count))]
  }

  /// One of at least one choices.
  package mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
