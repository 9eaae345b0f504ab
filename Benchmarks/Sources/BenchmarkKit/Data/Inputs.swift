/// The random inputs of the workloads, the same in every run.
package enum Inputs {
  package static func indexes(_ count: Int, below limit: Int, seed: UInt64 = 0) -> [Int] {
    var random = SplitMix(seed: 0x5EED &+ seed)
    return (0..<count).map { _ in Int.random(in: 0..<limit, using: &random) }
  }

  /// Those of 0, 1, … that are read whole to check what is stored: evenly spread, all of few, of many 10,000 to 20,000.
  static func spread(below limit: Int) -> StrideTo<Int> {
    stride(from: 0, to: limit, by: max(1, limit / 10_000))
  }

  /// Different keys of 16 bytes, in no order.
  package static func keys(_ count: Int) -> [String] { (0..<count).map(key) }

  /// The key at a place.
  package static func key(_ index: Int) -> String {
    Person.name(SplitMix.mix(0xBEEF &+ UInt64(index)))
  }
}
