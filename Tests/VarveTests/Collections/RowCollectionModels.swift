import Testing
import Varve
import VarveCore
import VarveStorage

/// Lists and maps that are in the row if they are small. Their names are those of ``TrayProperty``.
@Model final class Tray: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title = ""
  @Persisted var words: List<String>
  @Persisted var numbers: List<Int>
  @Persisted var pebbles: List<Pebble>
  @Persisted var notes: Map<String, String>
  @Persisted var scores: Map<String, Int>
  @Persisted var named: Map<String, Pebble?>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

@Model final class Pebble: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var weight = 0
  @Persisted(originProperty: "pebbles") var trays: LinkingObjects<Tray>
  @Persisted(originProperty: "named") var namedIn: LinkingObjects<Tray>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// A collection property of a tray. Its elements are made from numbers; those of a map are under
/// the keys `k000`, `k001` and so on.
enum TrayProperty: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case words, numbers, pebbles, notes, scores, named

  static let lists: [TrayProperty] = [.words, .numbers, .pebbles]
  static let maps: [TrayProperty] = [.notes, .scores, .named]

  /// The greatest number of an element, and the number of pebbles that a test needs.
  static let greatest = 120

  var testDescription: String { rawValue }
  var isMap: Bool { Self.maps.contains(self) }

  /// The table of the elements that are outside the row.
  var table: Table { isMap ? .dictionaries : .lists }

  /// The least number of bytes of an element in the row.
  var elementBytes: Int { dataBytes + endCount }

  /// The bytes of an element, or of a key and an element.
  private var dataBytes: Int {
    switch self {
    case .words: 1 + 8
    case .numbers, .pebbles: 8
    case .notes, .scores: 4 + 1 + 8
    case .named: 4 + 1 + 12
    }
  }

  /// The number of ends of an element in the table.
  private var endCount: Int {
    switch self {
    case .words: 1
    case .numbers, .pebbles: 0
    case .notes, .scores, .named: 2
    }
  }

  /// The bytes of a number of elements in the row.
  func byteCount(_ count: Int) -> Int {
    let data = count * dataBytes
    return data + count * endCount * (data <= 255 ? 1 : 2)
  }

  /// A text of eight bytes.
  private static func text(_ number: Int) -> String { "text \(padded(number))" }

  private static func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }

  static func key(_ index: Int) -> String { "k\(padded(index))" }

  /// The content made from numbers, as ``content(of:)`` returns it.
  func content(_ numbers: [Int]) -> [String] {
    numbers.enumerated().map { index, number in
      let value = self == .words || self == .notes ? Self.text(number) : "\(number)"
      return isMap ? "\(Self.key(index)) \(value)" : value
    }
  }

  func content(of tray: Tray) -> [String] {
    switch self {
    case .words: Array(tray.words)
    case .numbers: tray.numbers.map { "\($0)" }
    case .pebbles: tray.pebbles.map { "\($0.id)" }
    case .notes: tray.notes.map { "\($0.key) \($0.value)" }
    case .scores: tray.scores.map { "\($0.key) \($0.value)" }
    case .named: tray.named.map { "\($0.key) \($0.value.map { "\($0.id)" } ?? "-")" }
    }
  }

  /// Makes the content that of numbers: replaces elements that differ, and appends or removes
  /// others at the end.
  func assign(_ numbers: [Int], to tray: Tray, _ realm: Realm) {
    func pebble(_ id: Int) -> Pebble {
      realm.object(ofType: Pebble.self, forPrimaryKey: id) ?? Pebble(id)
    }
    switch self {
    case .words: assign(numbers.map(Self.text), to: tray.words)
    case .numbers: assign(numbers, to: tray.numbers)
    case .pebbles: assign(numbers.map(pebble), to: tray.pebbles)
    case .notes: assign(numbers.map(Self.text), to: tray.notes)
    case .scores: assign(numbers, to: tray.scores)
    case .named: assign(numbers.map { Optional(pebble($0)) }, to: tray.named)
    }
  }

  private func assign<E: RealmCollectionValue & Equatable>(_ elements: [E], to list: List<E>) {
    for (index, element) in elements.enumerated() {
      if index == list.count {
        list.append(element)
      } else if list[index] != element {
        list[index] = element
      }
    }
    while list.count > elements.count { list.removeLast() }
  }

  private func assign<V: RealmCollectionValue & Equatable>(_ values: [V], to map: Map<String, V>) {
    for (index, value) in values.enumerated() where map[Self.key(index)] != value {
      map[Self.key(index)] = value
    }
    for key in map.keys.dropFirst(values.count) { map.removeObject(for: key) }
  }
}

extension TemporaryRealm {
  /// Opens the store with a tray and the pebbles.
  func openWithTray() throws -> (Realm, Tray) {
    let realm = try open()
    let tray = Tray(1)
    try realm.write {
      for id in 0...TrayProperty.greatest { realm.add(Pebble(id)) }
      realm.add(tray)
    }
    return (realm, tray)
  }

  /// Whether no list, or no dictionary, of the store is outside its row.
  func isInRow(_ property: TrayProperty) throws -> Bool { try count(property.table) == 0 }
}
