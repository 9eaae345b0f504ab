import Foundation
import Varve

/// A class with generated keys.
@Model final class Ticket: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted var title = ""
}

/// Records the ticket keys that have been assigned.
@Model final class TakenKey: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var process: Int
}

/// An additional action of ``TicketCommands``.
private enum TicketMode: Int {
  case plain
  /// Records each key, and deletes the ticket with the greatest key in every other write.
  case deleting
  /// Prints the last key of each commit.
  case telling
}

/// Writes objects with generated keys.
enum TicketCommands {
  /// Makes two tickets per write on average, and prints whether their keys have only increased.
  static func run(_ configuration: Realm.Configuration, _ numbers: [Int]) throws {
    let (count, process) = (numbers[0], numbers[1])
    let mode = TicketMode(rawValue: numbers[2]) ?? .plain
    let realm = try Realm(configuration: configuration)
    say("ready")
    waitForTest()
    var last = 0
    var grows = true
    for number in 0..<count {
      try realm.write {
        for _ in 0...number % 3 {
          let id = realm.create(Ticket.self, value: ["title": "\(process)"]).id
          if id <= last { grows = false }
          last = id
          if mode == .deleting {
            realm.create(TakenKey.self, value: ["id": id, "process": process])
          }
        }
      }
      if mode == .telling { say("\(last)") }
      guard mode == .deleting, number % 2 == 0 else { continue }
      try realm.write {
        if let greatest = realm.objects(Ticket.self).last { realm.delete(greatest) }
      }
    }
    try Realm.close(configuration)
    say(grows ? "grows" : "shrinks")
  }
}
