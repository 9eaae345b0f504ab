import VarveTestSupport

/// What survives a power failure at one point.
struct PowerCut {
  /// The indexes of the fragments on the disk, ascending.
  var fragments: [Int]
  /// The number of changes of names on the disk.
  var nameCount: Int
  /// The fragment that is on the disk in part; nil if all are complete.
  var tear: Tear?
  /// The states of the files that are written through mappings.
  var lock: MappedState
  var signal: MappedState

  /// A sector that consists of parts of two states.
  struct Tear {
    /// The later state.
    var fragment: Int
    /// How many states before it the earlier one is.
    var back: Int
    /// The number of bytes of the part at the beginning.
    var byteCount: Int
    /// Whether the beginning is that of the earlier state.
    var isEnd: Bool
  }

  enum MappedState: CaseIterable {
    case absent, zero, current, synced
  }

  /// Chooses the cuts to test at a point: all of them where there are few, otherwise prefixes, all
  /// but one fragment, and random subsets.
  static func choose(
    _ states: [PowerDisk.Fragment], nameCount: Int, atMost limit: Int, tearsAlways: Bool,
    _ random: inout SeededRandom
  ) -> [PowerCut] {
    let fragmentCount = states.count
    var subsets: [[Int]] = []
    if fragmentCount <= 4 {
      for bits in 0..<(1 << fragmentCount) {
        subsets.append((0..<fragmentCount).filter { bits >> $0 & 1 == 1 })
      }
    } else {
      let all = Array(0..<fragmentCount)
      subsets = [[], all]
      while subsets.count < limit {
        switch subsets.count % 3 {
        case 0: subsets.append(Array(all.prefix(random.below(fragmentCount))))
        case 1:
          let missing = random.below(fragmentCount)
          subsets.append(all.filter { $0 != missing })
        default:
          let percent = random.int(5...95)
          subsets.append(all.filter { _ in random.chance(percent) })
        }
      }
    }
    if subsets.count > limit { subsets = Array(subsets.shuffled(using: &random).prefix(limit)) }
    // All prefixes of the changes of names, if there is room for them.
    let hasAll = subsets.count * (nameCount + 1) <= limit
    return subsets.flatMap { subset in
      (hasAll ? Array(0...nameCount) : [random.int(0...nameCount)]).map { names in
        PowerCut(
          fragments: subset, nameCount: names,
          tear: tearsAlways || random.oneIn(3) ? tear(states, subset, &random) : nil,
          lock: random.pick(MappedState.allCases), signal: random.pick(MappedState.allCases))
      }
    }
  }

  /// Tears one of the sectors: most often that of a meta page, with which a commit stands or falls,
  /// and in its first bytes.
  private static func tear(
    _ states: [PowerDisk.Fragment], _ subset: [Int], _ random: inout SeededRandom
  ) -> Tear? {
    guard let last = subset.last else { return nil }
    let metas = subset.filter { states[$0].offset.map { $0 % 4096 < 512 && $0 < 8192 } ?? false }
    let fragment = random.oneIn(4) ? last : metas.last ?? last
    return Tear(
      fragment: fragment, back: random.int(1...3),
      byteCount: random.int(0...(random.oneIn(2) ? 23 : 63)) * 8,
      isEnd: random.oneIn(2))
  }
}
