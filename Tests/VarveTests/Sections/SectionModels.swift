import Varve

@Model final class Guest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var table: Int?
  @Persisted var host: Guest?
  @Persisted var points: Double

  var firstLetter: String { String(name.prefix(1)) }
}

@Model final class Party: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var guests: List<Guest>
  @Persisted var numbers: List<Int>
}

extension Realm {
  /// Stores guests with the ids 0, 1, … and the given names and tables.
  func addGuests(_ guests: [(String, Int?)]) throws {
    try write {
      for (id, (name, table)) in guests.enumerated() {
        create(Guest.self, value: ["id": id, "name": name, "table": table as Any])
      }
    }
  }

  func guest(_ id: Int) throws -> Guest {
    guard let guest = object(ofType: Guest.self, forPrimaryKey: id) else { throw Cancelled() }
    return guest
  }
}

extension SectionedResults where SectionElement == Guest {
  /// The keys, each with the names in its section.
  var names: [String] { map { "\($0.key): \($0.map(\.name).joined(separator: " "))" } }
}
