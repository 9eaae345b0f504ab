import VarveTestSupport

/// What survives a power failure at one point.
struct PowerCut {
  /// The indexes of the fragments on the disk, ascending.
  var fragments: [Int]
  /// The number of changes of names on the disk.
  var nameCount: Int
  /// The number of bytes of the last fragment on the disk; nil if it is complete.
  var tornBytes: Int?
  /// The states of the files that are written through mappings.
  var lock: MappedState
  var signal: MappedState

  enum MappedState: CaseIterable {
    case absent, zero, current, synced
  }

  /// Chooses the cuts to test at a point: all of them where there are few, otherwise prefixes, all
  /// but one fragment, and random subsets.
  static func choose(
    fragmentCount: Int, nameCount: Int, atMost limit: Int, _ random: inout SeededRandom
  ) -> [PowerCut] {
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
          tornBytes: random.oneIn(4) ? random.int(0...63) * 8 : nil,
          lock: random.pick(MappedState.allCases), signal: random.pick(MappedState.allCases))
      }
    }
  }
}
