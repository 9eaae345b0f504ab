/// The random inputs of the workloads, the same in every run.
package enum Inputs {
  package static func indexes(_ count: Int, below limit: Int, seed: UInt64 = 0) -> [Int] {
    var random = SplitMix(seed: 0x5EED &+ seed)
    return (0..<count).map { _ in Int.random(in: 0..<limit, using: &random) }
  }

  /// Different keys of 16 bytes, in no order.
  package static func keys(_ count: Int) -> [String] { (0..<count).map(key) }

  /// The key at a place.
  package static func key(_ index: Int) -> String {
    Person.name(SplitMix.mix(0xBEEF &+ UInt64(index)))
  }
}
