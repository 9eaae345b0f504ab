import Foundation

/// A repeatable source of random numbers (SplitMix64). Its seed comes from VARVE_SEED, else it is
/// random; tests name it in their failure messages.
struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible {
  let seed: UInt64
  private var state: UInt64

  init() {
    let given = ProcessInfo.processInfo.environment["VARVE_SEED"].flatMap { UInt64($0) }
    self.init(seed: given ?? UInt64.random(in: 0...UInt64.max))
  }

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  var description: String { "VARVE_SEED=\(seed)" }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func chance(_ one: Int) -> Bool { int(1...one) == 1 }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  mutating func pick<T>(_ choices: [T]) -> T { choices[int(0...choices.count - 1)] }
}
