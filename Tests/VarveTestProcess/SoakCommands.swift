import Foundation
import Varve

/// The classes that the soak test of observers writes.
/// `Tests/VarveTests/Changes/Soak/SoakModels.swift` declares the same classes.
@Model final class Herd: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var size = 0
  @Persisted var label = ""
  @Persisted var marks: List<Int>
  @Persisted var cows: List<Cow>
  @Persisted var notes: Map<String, String>
  @Persisted var named: Map<String, Cow?>
  @Persisted(originProperty: "home") var residents: LinkingObjects<Cow>
}

@Model final class Cow: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var home: Herd?
}

/// The writers of the soak test of observers.
enum SoakCommands {
  /// Runs a command.
  ///
  /// - Returns: Whether there is such a command.
  static func run(_ command: String, path: String, _ numbers: [Int]) throws -> Bool {
    guard command == "soakWrite" else { return false }
    let configuration = Realm.Configuration(
      fileURL: URL(filePath: path), durability: .none, mapReservation: 1 << 30)
    let realm = try Realm(configuration: configuration)
    var random = Choices(state: UInt64(bitPattern: Int64(numbers[0])))
    say("ready")
    waitForTest()
    for _ in 0..<numbers[1] {
      try realm.write {
        for _ in 0...random.below(5) { step(realm, &random) }
      }
      if random.below(8) == 0 { usleep(useconds_t(random.below(4000))) }
    }
    try Realm.close(configuration)
    say("done")
    return true
  }

  /// Makes a random change.
  private static func step(_ realm: Realm, _ random: inout Choices) {
    let cows = realm.objects(Cow.self)
    func cow() -> Cow? { cows.isEmpty ? nil : cows[random.below(cows.count)] }
    // Mostly the observed herd.
    let id = random.below(3) == 0 ? 2 : 1
    guard let herd = realm.object(ofType: Herd.self, forPrimaryKey: id) else { return }
    switch random.below(24) {
    case 0, 1, 2:
      realm.create(
        Cow.self,
        value: ["id": random.below(70) - 10, "name": random.name(), "age": random.below(10)],
        update: .modified)
    case 3: if let cow = cow() { realm.delete(cow) }
    case 4, 5: cow()?.age = random.below(10)
    case 6: cow()?.name = random.name()
    case 7, 8: cow()?.home = herd
    case 9: cow()?.home = nil
    case 10: herd.size = random.below(20)
    case 11: herd.label = random.text()
    case 12, 13: herd.marks.insert(random.below(5), at: random.below(herd.marks.count + 1))
    case 14: if !herd.marks.isEmpty { herd.marks.remove(at: random.below(herd.marks.count)) }
    case 15: if !herd.marks.isEmpty { herd.marks[random.below(herd.marks.count)] = random.below(5) }
    case 16: if let cow = cow() { herd.cows.insert(cow, at: random.below(herd.cows.count + 1)) }
    case 17: if !herd.cows.isEmpty { herd.cows.remove(at: random.below(herd.cows.count)) }
    case 18:
      if herd.cows.count > 1 {
        herd.cows.move(from: random.below(herd.cows.count), to: random.below(herd.cows.count))
      }
    case 19: herd.notes[random.name()] = random.text()
    case 20: herd.notes[random.name()] = nil
    case 21: herd.named[random.name()] = .some(random.below(4) == 0 ? nil : cow())
    case 22: herd.named.removeObject(for: random.name())
    default: shrink(herd, &random)
    }
  }

  /// Keeps the collections small: around the size at which they leave the row of the herd, and that
  /// at which they come back. Sometimes empties them.
  private static func shrink(_ herd: Herd, _ random: inout Choices) {
    let most = random.below(20) == 0 ? 0 : random.below(4) == 0 ? 14 : 40
    while herd.marks.count > most { herd.marks.removeFirst() }
    // A link has fewer bytes than a mark.
    while herd.cows.count > 2 * most { herd.cows.removeLast() }
    if most < 40 {
      for key in herd.notes.keys.dropFirst(most / 2) { herd.notes[key] = nil }
    }
  }
}

/// Repeatable random choices (SplitMix64).
private struct Choices {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(limit))
  }

  mutating func name() -> String { "n\(below(36))" }

  /// A text of 2 to 75 characters.
  mutating func text() -> String { String(repeating: name(), count: 1 + below(25)) }
}
