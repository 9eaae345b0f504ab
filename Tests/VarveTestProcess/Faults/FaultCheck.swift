import Foundation
import Varve

/// The check of a store that the oracle workload has written, whatever happened to it since.
struct FaultCheck {
  /// The number of the transaction of the newest version.
  private(set) var number = 0

  /// A store that is not what an acknowledged or begun transaction left.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Opens a store, checks it, and closes it.
  ///
  /// - Parameters:
  ///   - range: The numbers that the ledger may have.
  ///   - isWriting: Whether to read the store in other ways before, to run three more transactions,
  ///     and to check again.
  /// - Throws: ``Fault``, or the error of the store.
  static func run(_ path: String, _ range: ClosedRange<Int>, isWriting: Bool) throws -> Int {
    let configuration = FaultWorkload.configuration(path)
    let read = isWriting ? try numbersInOtherWays(configuration, range) : []
    let number = try closing(configuration) {
      try check(configuration, range, isWriting: isWriting)
    }
    guard read.allSatisfy({ $0 == number }) else {
      throw Fault(description: "read-only and as a seed, transactions \(read) instead of \(number)")
    }
    return number
  }

  /// Opens a store that may have an unfinished commit read-only, and a new store from it.
  ///
  /// - Returns: The transactions of the versions; empty without a store.
  private static func numbersInOtherWays(
    _ configuration: Realm.Configuration, _ range: ClosedRange<Int>
  ) throws -> [Int] {
    guard let url = configuration.fileURL, FileManager.default.fileExists(atPath: url.path) else {
      return []
    }
    _ = try schemaVersionAtURL(url)
    var reader = configuration
    reader.readOnly = true
    var seeded = configuration
    seeded.fileURL = url.appendingPathExtension("seeded")
    seeded.seedFilePath = url
    return try [reader, seeded].map { configuration in
      try closing(configuration) { try check(configuration, range, isWriting: false) }
    }
  }

  /// Closes a store after a body that opens and uses it.
  ///
  /// - Throws: The error of the body, or else that of closing.
  static func closing(_ configuration: Realm.Configuration, _ body: () throws -> Int) throws -> Int
  {
    let result = Result { try body() }
    // A store that cannot be opened cannot be closed either.
    if case .failure = result {
      try? Realm.close(configuration)
    } else {
      try Realm.close(configuration)
    }
    return try result.get()
  }

  private static func check(
    _ configuration: Realm.Configuration, _ range: ClosedRange<Int>, isWriting: Bool
  ) throws -> Int {
    let realm = try Realm(configuration: configuration)
    var check = FaultCheck()
    try check.run(realm)
    guard range.contains(check.number) else {
      throw Fault(description: "transaction \(check.number) is not in \(range)")
    }
    guard isWriting else { return check.number }
    var workload = FaultWorkload(seed: 1, after: check.number)
    for _ in 0..<3 {
      let number = try workload.runTransaction(realm)
      guard FaultWorkload.number(in: realm) == number else {
        throw Fault(description: "transaction \(number) is not visible")
      }
    }
    var later = FaultCheck()
    try later.run(realm)
    return check.number
  }

  /// Checks the version of a realm that nobody changes meanwhile.
  mutating func run(_ realm: Realm) throws {
    try checkLedger(realm)
    try checkIndexes(realm)
    try checkLinks(realm)
    let report = try realm.check()
    guard report.isSound else { throw Fault(description: "unsound: \(report)") }
  }

  private mutating func checkLedger(_ realm: Realm) throws {
    let ledgers = realm.objects(FaultLedger.self)
    guard ledgers.count <= 1 else { throw Fault(description: "\(ledgers.count) ledgers") }
    let content = FaultContent(realm)
    guard let ledger = ledgers.first else {
      guard content.parcelCount == 0 else { throw Fault(description: "parcels without a ledger") }
      return
    }
    number = ledger.number
    guard ledger.parcelCount == content.parcelCount,
      ledger.digest == Int(truncatingIfNeeded: content.digest)
    else {
      throw Fault(
        description:
          "transaction \(number): \(content.parcelCount) of \(ledger.parcelCount) parcels, or other"
      )
    }
  }

  private func checkIndexes(_ realm: Realm) throws {
    let parcels = realm.objects(FaultParcel.self)
    var counts: [String: Int] = [:]
    for parcel in parcels {
      counts[parcel.label, default: 0] += 1
      guard realm.object(ofType: FaultParcel.self, forPrimaryKey: parcel.id) == parcel else {
        throw Fault(description: "parcel \(parcel.id) is not found by its key")
      }
    }
    for (label, count) in counts {
      let found = parcels.where { $0.label == label }.count
      guard found == count else {
        throw Fault(description: "\(found) of \(count) parcels are found by '\(label)'")
      }
    }
  }

  private func checkLinks(_ realm: Realm) throws {
    var links = 0
    var backlinks = 0
    for parcel in realm.objects(FaultParcel.self) {
      if let next = parcel.next {
        links += 1
        guard next.previous.contains(parcel) else {
          throw Fault(description: "no backlink from \(next.id) to \(parcel.id)")
        }
      }
      links += parcel.parts.count
      backlinks += parcel.previous.count + parcel.wholes.count
    }
    guard links == backlinks else {
      throw Fault(description: "\(links) links and \(backlinks) backlinks")
    }
  }
}
