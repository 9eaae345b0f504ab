import Foundation
import Glibc
import Varve

/// Small stores that exist, in one directory.
struct ManyStores {
  private let directory: URL
  private let durability: Realm.Configuration.Durability
  private let namesClasses: Bool
  private let mapReservation: Int?

  /// - Parameters:
  ///   - count: The number of stores.
  ///   - parent: The directory of their directory.
  ///   - namesClasses: Whether the configurations contain a list of classes.
  ///   - isUnderValgrind: Whether the address space is small, and no process can be started.
  init(
    count: Int, in parent: URL = FileManager.default.temporaryDirectory,
    durability: Realm.Configuration.Durability = .none, namesClasses: Bool = true,
    isUnderValgrind: Bool = false
  ) throws {
    directory = parent.appendingPathComponent("varve-stores-\(UUID().uuidString)")
    self.durability = durability
    self.namesClasses = namesClasses
    mapReservation = isUnderValgrind ? 16 << 20 : nil
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // The memory of this process must not depend on it.
    if isUnderValgrind {
      try Self.make(count, in: directory.path, mapReservation: mapReservation)
    } else {
      try OwnProgram.run(["make-stores", directory.path, "\(count)"])
    }
    // No opening has to wait until they are on the disk.
    sync()
  }

  /// The work of ``MakeStoresCommand``.
  static func make(_ count: Int, in directory: String, mapReservation: Int? = nil) throws {
    for number in 0..<count {
      let configuration = Realm.Configuration(
        fileURL: file(number, in: URL(fileURLWithPath: directory)), objectTypes: [Item.self],
        durability: .none, mapReservation: mapReservation)
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Item(id: number)) }
      try Realm.close(configuration)
    }
  }

  /// Opens the first stores, and writes small transactions to each.
  func open(_ count: Int, commits: Int = 0) throws {
    for number in 0..<count {
      let realm = try Realm(configuration: configuration(number))
      for round in 0..<commits {
        try realm.write {
          realm.create(Item.self, value: ["id": number, "count": round], update: .modified)
        }
      }
    }
  }

  func close(_ count: Int) throws {
    for number in 0..<count { try Realm.close(configuration(number)) }
  }

  func remove() throws { try FileManager.default.removeItem(at: directory) }

  private func configuration(_ number: Int) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: Self.file(number, in: directory), objectTypes: namesClasses ? [Item.self] : nil,
      durability: durability, mapReservation: mapReservation)
  }

  private static func file(_ number: Int, in directory: URL) -> URL {
    directory.appendingPathComponent("\(number).varve")
  }
}
