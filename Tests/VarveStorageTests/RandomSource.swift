import Glibc

/// Random numbers that can be had again: the seed comes from the variable VARVE_SEED, else from the system.
struct RandomSource: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init() {
    let wanted = getenv("VARVE_SEED").flatMap { UInt64(String(cString: $0)) }
    seed = wanted ?? .random(in: 1 ... .max)
    state = seed
  }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
