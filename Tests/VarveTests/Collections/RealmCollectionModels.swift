import Foundation
import Varve

@Model final class Member: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var score = 0.0
  @Persisted var rank: Int?
  @Persisted var friend: Member?
  @Persisted(originProperty: "members") var clubs: LinkingObjects<Club>
  @Persisted(originProperty: "friend") var friends: LinkingObjects<Member>
}

@Model final class Club: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var members: List<Member>
  @Persisted var group: MutableSet<Member>
  @Persisted var byName: Map<String, Member?>
  @Persisted var numbers: List<Int>
  @Persisted var words: List<String?>
  @Persisted var scores: Map<String, Int>
}

/// A club of five members, the third of which is the friend of all.
enum ClubFixture {
  static let names = ["Ann", "Bob", "Ann", "Cid", "Bob"]

  /// An unmanaged club whose list contains the members in the order of their ids.
  static func make() -> Club {
    let members = names.enumerated().map { index, name in
      Member(
        value: [
          "id": index + 1, "name": name, "score": Double(index) / 2,
          "rank": index == 0 ? nil : 10 - index,
        ])
    }
    for member in members { member.friend = members[2] }
    let club = Club()
    club.id = 1
    club.members.append(objectsIn: members)
    club.group.insert(objectsIn: members)
    for member in members { club.byName["\(member.id)"] = member }
    club.byName["none"] = .some(nil)
    club.numbers.append(objectsIn: [3, 1, 2, 3, 5])
    club.words.append(objectsIn: ["b", nil, "a", "b", nil])
    for (index, number) in [3, 1, 2, 3, 5].enumerated() { club.scores["k\(index)"] = number }
    return club
  }
}
