import Foundation
import Varve

/// Its keys are generated.
@Model final class Ticket: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted var title = ""
}

/// Says which keys of tickets have been given.
@Model final class TakenKey: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var process: Int
}

/// What ``TicketCommands`` does besides making tickets.
private enum TicketMode: Int {
  case plain
  /// Notes each key, and deletes the ticket with the greatest one in every other write.
  case deleting
  /// Tells the last key of each commit.
  case telling
}

/// Writes objects whose keys are generated.
enum TicketCommands {
  /// Makes two tickets a write on the average, and tells whether their keys have only grown.
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
