/// The random inputs of the workloads. They are the same in every run.
package enum Inputs {
  package static func indexes(_ count: Int, below limit: Int, seed: UInt64 = 0) -> [Int] {
    var random = SplitMix(seed: 0x5EED &+ seed)
    return (0..<count).map { _ in Int.random(in: 0..<limit, using: &random) }
  }

  /// The numbers below `limit` for which the stored objects are read completely and checked. They
  /// are evenly spread: all of a small number, and 10,000 to 20,000 of a large one.
  static func spread(below limit: Int) -> StrideTo<Int> {
    stride(from: 0, to: limit, by: max(1, limit / 10_000))
  }

  /// Distinct keys of 16 bytes, in random order.
  package static func keys(_ count: Int) -> [String] { (0..<count).map(key) }

  /// The key at an index.
  package static func key(_ index: Int) -> String {
    Person.name(SplitMix.mix(0xBEEF &+ UInt64(index)))
  }
}
