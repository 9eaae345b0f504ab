import BenchmarkKit
import Foundation
import Varve

/// ``BenchmarkKit/Person`` as a managed object.
@Model final class StoredPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var created: Date

  convenience init(_ person: Person) {
    self.init()
    id = person.id
    name = person.name
    age = person.age
    score = person.score
    created = person.created
  }
}

extension StoredPerson.New {
  init(_ person: Person) {
    self.init(
      id: person.id, name: person.name, age: person.age, score: person.score,
      created: person.created)
  }
}

/// ``BenchmarkKit/Person`` as a managed object with indexes.
@Model final class IndexedPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted(indexed: true) var age: Int
  @Persisted(indexed: true) var score: Double
  @Persisted var created: Date

  convenience init(_ person: Person) {
    self.init()
    id = person.id
    name = person.name
    age = person.age
    score = person.score
    created = person.created
  }
}

/// ``BenchmarkKit/Person`` as a managed object with a string primary key.
@Model final class NamedPerson: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var number: Int
  @Persisted var age: Int
  @Persisted var score: Double
  @Persisted var created: Date

  convenience init(_ person: Person) {
    self.init()
    name = person.name
    number = person.id
    age = person.age
    score = person.score
    created = person.created
  }
}

/// Owns the list and the dictionary.
@Model final class Holder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var numbersByKey: Map<String, Int>
}

/// Owns a list of a few strings.
@Model final class SmallListHolder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var texts: List<String>

  convenience init(id: Int, _ list: [String]) {
    self.init()
    self.id = id
    texts.append(objectsIn: list)
  }
}

/// Owns a dictionary with a few keys.
@Model final class SmallMapHolder: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbersByKey: Map<String, Int>

  convenience init(id: Int, _ map: [SmallMapEntry]) {
    self.init()
    self.id = id
    for entry in map { numbersByKey[entry.key] = entry.value }
  }
}

/// A blob or a message.
@Model final class StoredBlob: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var content: Data

  convenience init(id: Int, content: Data) {
    self.init()
    self.id = id
    self.content = content
  }
}

/// A page of a web site.
@Model final class StoredPage: Object {
  @Persisted(primaryKey: true) var path: String
  @Persisted var content: Data

  convenience init(path: String, content: Data) {
    self.init()
    self.path = path
    self.content = content
  }
}

/// A line of a log.
@Model final class LogLine: Object {
  @Persisted var text: String

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

/// ``BenchmarkKit/Document`` as a managed object.
@Model final class StoredDocument: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var body: String
  @Persisted var tags: List<String>
  @Persisted var counters: Map<String, Int>
  @Persisted var revision: Int

  convenience init(_ document: Document) {
    self.init()
    id = document.id
    title = document.title
    body = document.body
    tags.append(objectsIn: document.tags)
    for (name, count) in document.counters { counters[name] = count }
    revision = document.revision
  }
}

/// ``BenchmarkKit/Issue`` as a managed object.
@Model(indexes: [["status", "updated"]]) final class StoredIssue: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted var title: String
  @Persisted var status: String
  @Persisted var assignee: String
  @Persisted var created: Date
  @Persisted(indexed: true) var updated: Date
  @Persisted(fullText: true) var body: String

  convenience init(_ issue: Issue) {
    self.init()
    id = issue.id
    title = issue.title
    status = issue.status
    assignee = issue.assignee
    created = issue.created
    updated = issue.updated
    body = issue.body
  }

  /// A copy of all values.
  var issue: Issue {
    Issue(
      id: id, title: title, status: status, assignee: assignee, created: created, updated: updated,
      body: body)
  }
}

/// A text with a full-text index.
@Model final class StoredNote: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(fullText: true) var body: String

  convenience init(id: Int, _ body: String) {
    self.init()
    self.id = id
    self.body = body
  }
}

/// ``BenchmarkKit/Member`` as a managed object.
@Model final class StoredMember: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(unique: true) var code: String
  @Persisted(indexed: true) var name: String
  @Persisted var plainName: String
  @Persisted(indexed: true) var age: Int
  @Persisted var plainAge: Int
  @Persisted(indexed: true) var score: Double
  @Persisted var plainScore: Double
  @Persisted(fullText: true) var words: String
  @Persisted var mentor: StoredMember?
  @Persisted(originProperty: "mentor") var students: LinkingObjects<StoredMember>

  /// Creates the object without the mentor, which may not be stored yet.
  convenience init(_ member: Member) {
    self.init()
    id = member.id
    assign(member)
  }

  /// Sets all properties except the id and the mentor.
  func assign(_ member: Member) {
    code = member.code
    name = member.name
    plainName = member.plainName
    age = member.age
    plainAge = member.plainAge
    score = member.score
    plainScore = member.plainScore
    words = member.words
  }
}
