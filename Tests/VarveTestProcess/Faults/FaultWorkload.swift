import CVarve
import Foundation
import Logging
import Varve

/// Transactions that make random changes, and state in the ledger what the store then contains.
///
/// A store can therefore be checked without the history that led to it.
struct FaultWorkload {
  /// The number of the last transaction that was begun.
  private(set) var begun: Int
  private var random: DamageRandom
  /// The parcels have the keys below this number.
  private static let keyCount = 24
  /// The number of bytes of a long text.
  var longText = 3000

  /// - Parameters:
  ///   - seed: Determines all transactions.
  ///   - number: The number of the transaction before the first one.
  init(seed: Int, after number: Int = 0) {
    begun = number
    random = DamageRandom(state: UInt64(bitPattern: Int64(seed)) &+ UInt64(number) &* 7919)
  }

  static func configuration(
    _ path: String, _ durability: Realm.Configuration.Durability = .full,
    mapReservation: Int = 1 << 26
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: URL(filePath: path), objectTypes: [FaultParcel.self, FaultLedger.self],
      durability: durability, mapReservation: mapReservation,
      logger: Logger(label: "faults") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Runs the next transaction.
  ///
  /// - Returns: Its number.
  @discardableResult
  mutating func runTransaction(_ realm: Realm) throws -> Int {
    begun += 1
    let number = begun
    try realm.write {
      change(realm, number)
      Self.state(realm, number)
    }
    return number
  }

  /// The number of the transaction of a version; 0 before the first one.
  static func number(in realm: Realm) -> Int {
    realm.object(ofType: FaultLedger.self, forPrimaryKey: 0)?.number ?? 0
  }

  /// Makes the random changes of a transaction, inside a write.
  mutating func change(_ realm: Realm, _ number: Int) {
    begun = number
    for _ in 0...random.below(3) { step(realm) }
  }

  /// States in the ledger what the store contains, inside a write.
  static func state(_ realm: Realm, _ number: Int) {
    let content = FaultContent(realm)
    realm.create(
      FaultLedger.self,
      value: [
        "id": 0, "number": number, "parcelCount": content.parcelCount,
        "digest": Int(truncatingIfNeeded: content.digest),
      ], update: .modified)
  }

  /// Makes a random change.
  private mutating func step(_ realm: Realm) {
    let id = random.below(Self.keyCount)
    guard let parcel = realm.object(ofType: FaultParcel.self, forPrimaryKey: id) else {
      realm.add(newParcel(id))
      return
    }
    switch random.below(12) {
    case 0, 1: realm.delete(parcel)
    case 2: parcel.label = label()
    case 3: parcel.weight += 1
    case 4: parcel.text = text()
    case 5: parcel.numbers.append(objectsIn: (0...random.below(40)).map { $0 * begun })
    case 6: if !parcel.numbers.isEmpty { parcel.numbers.remove(at: parcel.numbers.count / 2) }
    case 7: parcel.notes["note \(random.below(6))"] = text()
    case 8: parcel.notes["note \(random.below(6))"] = nil
    case 9:
      parcel.next = realm.object(
        ofType: FaultParcel.self, forPrimaryKey: random.below(Self.keyCount))
    case 10:
      let part = realm.object(ofType: FaultParcel.self, forPrimaryKey: random.below(Self.keyCount))
      if let part { parcel.parts.append(part) }
    default: if !parcel.parts.isEmpty { parcel.parts.removeFirst() }
    }
  }

  private mutating func newParcel(_ id: Int) -> FaultParcel {
    let parcel = FaultParcel()
    parcel.id = id
    parcel.label = label()
    parcel.weight = begun
    parcel.text = text()
    return parcel
  }

  private mutating func label() -> String { "label \(random.below(7))" }

  private mutating func text() -> String {
    let length = [8, 60, 600, longText][random.below(4)]
    return String(repeating: "text \(begun) ", count: max(1, length / 8))
  }
}

/// A summary of the parcels of a realm that does not depend on their order.
struct FaultContent: Equatable {
  private(set) var parcelCount = 0
  private(set) var digest: UInt64 = 0

  init(_ realm: Realm) {
    for parcel in realm.objects(FaultParcel.self) {
      parcelCount += 1
      digest &+= Self.hash(of: parcel)
    }
  }

  /// A hash of everything that a parcel contains.
  static func hash(of parcel: FaultParcel) -> UInt64 {
    var hash = FaultHash(parcel.id)
    hash.add(parcel.label)
    hash.add(parcel.weight)
    hash.add(parcel.text)
    hash.add(parcel.numbers.count)
    for number in parcel.numbers { hash.add(number) }
    var notes: UInt64 = 0
    for (key, value) in parcel.notes {
      var note = FaultHash(0)
      note.add(key)
      note.add(value)
      notes &+= note.value
    }
    hash.add(Int(truncatingIfNeeded: notes))
    hash.add(parcel.next?.id ?? -1)
    for part in parcel.parts { hash.add(part.id) }
    return hash.value
  }
}

/// A hash that is the same in every process.
private struct FaultHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ number: Int) { add(number) }

  mutating func add(_ number: Int) {
    value = (value ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01B3
    value ^= value >> 29
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      add(bytes.count)
      add(Int(varve_crc32c(0, bytes.baseAddress, bytes.count)))
    }
  }
}
