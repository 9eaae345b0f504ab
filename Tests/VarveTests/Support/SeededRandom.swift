import Foundation
import Testing

/// Random choices that can be made again: the seed is `VARVE_SEED`, or random.
struct SeededRandom: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64? = nil) {
    let given = ProcessInfo.processInfo.environment["VARVE_SEED"].flatMap { UInt64($0) }
    self.seed = seed ?? given ?? UInt64.random(in: 0...UInt64(UInt32.max))
    state = self.seed &+ 0x9E37_79B9_7F4A_7C15
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &self) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func element<C: RandomAccessCollection>(_ items: C) -> C.Element? {
    items.isEmpty ? nil : items[items.index(items.startIndex, offsetBy: below(items.count))]
  }

  /// How to run the test again.
  var comment: Comment { "VARVE_SEED=\(seed)" }
}
