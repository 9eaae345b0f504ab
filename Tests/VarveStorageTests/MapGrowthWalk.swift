import Testing
import VarveStorage
import VarveTestSupport

func content(_ id: UInt64) -> [UInt8] {
  let count = id % 40 == 0 ? 6000 : id % 40 == 1 ? 0 : 60
  return [UInt8](repeating: UInt8(id % 251), count: count)
}

func bigEndian(_ id: UInt64) -> [UInt8] { withUnsafeBytes(of: id.bigEndian) { Array($0) } }

/// A cursor over the entries of `fill`, and a model of its position.
final class Walk {
  enum Start {
    case unset, beginning, end
    case entry(Int)

    static func all(_ count: Int) -> [Start] {
      [.unset, .beginning, .end]
        + [0, 1, 39, 40, 41, count / 2, count - 2, count - 1].map { .entry($0) }
    }
  }

  enum Move {
    case next, previous, first, last
    case seek(Int)

    static func all(_ count: Int) -> [Move] {
      [.next, .previous, .first, .last] + [0, 1, count / 3, count - 1, count].map { .seek($0) }
    }

    static func any(_ count: Int, _ random: inout SeededRandom) -> Move {
      switch Int.random(in: 0..<60, using: &random) {
      case 0: .first
      case 1: .last
      case 2: .seek(.random(in: 0...count, using: &random))
      case 3..<32: .next
      default: .previous
      }
    }
  }

  private let isOfIntegers: Bool
  private let count: Int
  private let seed: UInt64
  private var cursor: EntryCursor
  /// -1 is before the first entry, `count` after the last, nil neither.
  private var position: Int?

  init(_ snapshot: Snapshot, _ table: Table, count: Int, _ start: Start, seed: UInt64 = 0) {
    isOfIntegers = table.hasIntegerKeys
    cursor = snapshot.cursor(table)
    self.count = count
    self.seed = seed
    switch start {
    case .unset: break
    case .entry(let index): make(.seek(index))
    case .beginning:
      make(.first)
      make(.previous)
    case .end:
      make(.last)
      make(.next)
    }
  }

  /// Moves the cursor and the model, and compares them.
  func make(_ move: Move) {
    let hasMoved: Bool
    switch move {
    case .next:
      hasMoved = cursor.next()
      position = min((position ?? -1) + 1, count)
    case .previous:
      hasMoved = cursor.previous()
      position = max((position ?? count) - 1, -1)
    case .first:
      hasMoved = cursor.seekFirst()
      position = 0
    case .last:
      hasMoved = cursor.seekLast()
      position = count - 1
    case .seek(let index):
      let id = UInt64(index)
      hasMoved =
        isOfIntegers
        ? cursor.seek(id: id) : bigEndian(id).withUnsafeBytes { cursor.seek(key: $0) }
      position = index
    }
    let isOnEntry = position.map { (0..<count).contains($0) } ?? false
    #expect(hasMoved == isOnEntry, "\(move) to \(position ?? -2), seed \(seed)")
    check(cursor.isOnEntry == isOnEntry)
    let id = UInt64(isOnEntry ? position ?? 0 : 0)
    let key = isOfIntegers ? withUnsafeBytes(of: id) { Array($0) } : bigEndian(id)
    check(Array(cursor.key) == (isOnEntry ? key : []), "\(move) to \(id), seed \(seed)")
    check(Array(cursor.value) == (isOnEntry ? content(id) : []), "\(move), seed \(seed)")
  }
}
