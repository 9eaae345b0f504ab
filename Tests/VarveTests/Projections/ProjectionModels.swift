import Varve

@Model final class Sailor: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int32
  @Persisted var nickname: String?
  @Persisted var berth: Berth?
  @Persisted var mentor: Sailor?
  @Persisted var friends: List<Sailor>
  @Persisted var isOnLeave = false

  var shout: String { name.uppercased() }
  var nameAndAge: String { "\(name) \(age)" }

  override class func propertiesMapping() -> [String: String] { ["nickname": "nick"] }
}

@Model final class Berth: EmbeddedObject {
  @Persisted var deck: Int
  @Persisted var label: String
}

class SailorView: Projection<Sailor>, @unchecked Sendable {
  @Projected(\Sailor.name) var name
  @Projected(\Sailor.age) var years
  @Projected(\Sailor.nickname) var called
  @Projected(\Sailor.berth?.label) var berthLabel
  @Projected(\Sailor.mentor?.name) var mentorName: String?
  @Projected(\Sailor.friends.projectTo.name) var friendNames: ProjectedCollection<String>
}

final class FullSailorView: SailorView, @unchecked Sendable {
  @Projected(\Sailor.berth) var berth
  @Projected(\Sailor.friends) var friends
}

/// Projects properties that are not persisted.
final class LoudView: Projection<Sailor>, @unchecked Sendable {
  @Projected(\Sailor.shout) var shout
  @Projected(\Sailor.nameAndAge) var nameAndAge
}

extension Realm {
  /// Stores Ann, 40, with a berth and the friends Bo and Cy; Bo's mentor is Ann.
  func addSailors() throws {
    try write {
      create(
        Sailor.self,
        value: [
          "id": 1, "name": "Ann", "age": 40, "berth": ["deck": 2, "label": "2A"],
          "friends": [["id": 2, "name": "Bo", "age": 20], ["id": 3, "name": "Cy", "age": 30]],
        ] as [String: Any])
      object(ofType: Sailor.self, forPrimaryKey: 2)?.mentor =
        object(ofType: Sailor.self, forPrimaryKey: 1)
    }
  }

  func sailor(_ id: Int) throws -> Sailor {
    guard let sailor = object(ofType: Sailor.self, forPrimaryKey: id) else { throw Cancelled() }
    return sailor
  }
}
