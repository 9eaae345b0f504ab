import VarveEncoding
import VarveTestSupport

@testable import VarveCore

/// A list as an array. It gets the same random changes as the stored list.
struct ModelList {
  let kind: ListTestKind
  var items: [ListDifferenceModelTests.Item] = []
  var maximumCount = 1500
  private var nextIdentity = 0

  init(kind: ListTestKind) { self.kind = kind }

  mutating func change(
    _ editor: ListEditor, times: Int, _ random: inout SeededRandom
  ) throws {
    for _ in 0..<times { try change(editor, &random) }
  }

  /// Appends elements.
  mutating func fill(
    _ editor: ListEditor, _ number: Int, _ random: inout SeededRandom
  ) throws {
    for _ in 0..<number { try append(editor, new(&random)) }
  }

  private mutating func change(_ editor: ListEditor, _ random: inout SeededRandom) throws {
    if items.count > maximumCount { return try removeRange(editor, &random) }
    if items.isEmpty { return try insertMany(editor, &random) }
    let index = random.below(items.count)
    switch random.below(16) {
    case 0, 1: try insert(editor, at: random.int(0...items.count), &random)
    case 2, 3: try remove(editor, at: index)
    case 4, 5, 6: try replace(editor, at: index, new(&random))
    case 7:
      for _ in 0..<random.int(2...30) {
        try replace(editor, at: random.below(items.count), new(&random))
      }
    case 8, 9:
      let target = random.below(items.count)
      try editor.move(from: index, to: target)
      if target != index {
        let element = items.remove(at: index).element
        items.insert(item(element), at: target)
      }
    case 10:
      let other = random.below(items.count)
      let (one, two) = (items[index].element, items[other].element)
      try editor.swapAt(index, other)
      if one != two {
        items[index] = item(two)
        items[other] = item(one)
      }
    case 11, 12: try insertMany(editor, &random)
    case 13: try removeRange(editor, &random)
    case 14: try editor.flush()
    default: try rarely(editor, &random)
    }
  }

  private mutating func rarely(_ editor: ListEditor, _ random: inout SeededRandom) throws {
    switch random.below(6) {
    case 0:
      items = []
      try editor.removeAll()
    case 1:
      // The list is emptied and filled again with the same elements except the first.
      let kept = items.dropFirst().map(\.element)
      try editor.removeAll()
      items = []
      for element in kept.prefix(300) { try append(editor, element) }
    case 2:
      for index in items.indices where random.oneIn(3) {
        try replace(editor, at: index, new(&random))
      }
    case 3:
      for index in items.indices.reversed() where random.oneIn(3) {
        try remove(editor, at: index)
      }
    default:
      for _ in 0..<random.below(100) { try append(editor, new(&random)) }
    }
  }

  private mutating func insertMany(_ editor: ListEditor, _ random: inout SeededRandom) throws {
    let index = random.int(0...items.count)
    let number = random.int(1...min(maximumCount, random.pick([3, 30, 400])))
    for offset in 0..<number { try insert(editor, at: index + offset, &random) }
  }

  private mutating func removeRange(_ editor: ListEditor, _ random: inout SeededRandom) throws {
    let lower = random.below(items.count)
    let upper = min(items.count, lower + random.int(1...random.pick([3, 30, 800])))
    try editor.removeSubrange(lower..<upper)
    items.removeSubrange(lower..<upper)
  }

  private mutating func insert(
    _ editor: ListEditor, at index: Int, _ random: inout SeededRandom
  ) throws {
    let element = new(&random)
    try editor.insert(element, at: index)
    items.insert(item(element), at: index)
  }

  private mutating func append(_ editor: ListEditor, _ element: [UInt8]?) throws {
    try editor.insert(element, at: items.count)
    items.append(item(element))
  }

  private mutating func remove(_ editor: ListEditor, at index: Int) throws {
    try editor.remove(at: index)
    items.remove(at: index)
  }

  private mutating func replace(
    _ editor: ListEditor, at index: Int, _ element: [UInt8]?
  ) throws {
    try editor.replace(at: index, element)
    if items[index].element != element { items[index] = item(element) }
  }

  private func new(_ random: inout SeededRandom) -> [UInt8]? { kind.element(&random) }

  private mutating func item(_ element: [UInt8]?) -> ListDifferenceModelTests.Item {
    nextIdentity += 1
    return ListDifferenceModelTests.Item(element: element, identity: nextIdentity)
  }
}

extension ListTestKind {
  /// Links of which many point to the same objects.
  static let fewObjects = ListTestKind(
    description: "repeated link", format: ListElementFormat(type: .link, isNullable: false)
  ) { generator in
    withUnsafeBytes(of: UInt64(generator.below(400))) { [UInt8]($0) }
  }

  /// Only two values, with many elements in a leaf.
  static let bool = ListTestKind(
    description: "Bool", format: ListElementFormat(type: .bool, isNullable: false)
  ) { generator in [UInt8(generator.below(2))] }

  /// Whether the elements repeat.
  var repeats: Bool { description != ListTestKind.link.description }
}
