import Foundation
import Varve

/// A class with a full-text index.
@Model final class Essay: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(fullText: true) var text: String?
  @Persisted var number = 0
}

/// Writes texts of a full-text index.
enum EssayCommands {
  /// Adds, merges, changes and deletes texts, each when the test continues, and then searches a
  /// word.
  static func run(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    let essays = realm.objects(Essay.self)
    say("ready")
    waitForTest()
    try realm.write { add(realm, 1000..<1001) }
    say("added")
    waitForTest()
    // So many texts that pending ones are merged into the blocks.
    try realm.write { add(realm, 1001..<2500) }
    say("merged")
    waitForTest()
    try realm.write {
      realm.object(ofType: Essay.self, forPrimaryKey: 1000)?.text = "changed"
      realm.object(ofType: Essay.self, forPrimaryKey: 0)?.text = nil
      realm.delete(essays.where { $0.id == 1001 })
    }
    say("changed")
    waitForTest()
    try realm.refresh()
    let found = essays.search("again", in: \.text).map { "\($0.object.id)" }
    say(found.joined(separator: " "))
    try Realm.close(configuration)
  }

  private static func add(_ realm: Realm, _ ids: Range<Int>) {
    for id in ids { realm.create(Essay.self, value: ["id": id, "text": "theirs number\(id)"]) }
  }
}
