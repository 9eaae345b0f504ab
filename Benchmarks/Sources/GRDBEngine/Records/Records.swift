import BenchmarkKit
import Foundation
import GRDB

/// ``BenchmarkKit/Person`` as a record. The date is stored as text, GRDB's default.
struct PersonRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "person"

  var id: Int
  var name: String
  var age: Int
  var score: Double
  var created: Date

  init(_ person: Person) {
    id = person.id
    name = person.name
    age = person.age
    score = person.score
    created = person.created
  }
}

/// ``BenchmarkKit/Person`` as a record of the table with indexes.
struct IndexedPersonRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "indexedPerson"

  var id: Int
  var name: String
  var age: Int
  var score: Double
  var created: Date

  init(_ person: Person) {
    id = person.id
    name = person.name
    age = person.age
    score = person.score
    created = person.created
  }
}

/// The columns of both.
enum PersonColumns {
  static let id = Column("id")
  static let name = Column("name")
  static let age = Column("age")
  static let score = Column("score")
}

/// ``BenchmarkKit/Person`` as a record with a string primary key.
struct NamedPersonRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "namedPerson"

  var name: String
  var number: Int
  var age: Int
  var score: Double
  var created: Date

  init(_ person: Person) {
    name = person.name
    number = person.id
    age = person.age
    score = person.score
    created = person.created
  }
}

/// An element of the list.
struct ListRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "list"

  var position: Int
  var value: Int
}

/// A key and a value of the dictionary.
struct MapRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "map"

  var key: String
  var value: Int
}

/// An object with a small list. The elements are separate rows.
struct SmallListRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "smallList"

  var id: Int
}

struct SmallListElementRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "smallListElement"

  var owner: Int
  var position: Int
  var value: String
}

/// An object with a small dictionary. The keys are separate rows.
struct SmallMapRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "smallMap"

  var id: Int
}

struct SmallMapEntryRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "smallMapEntry"

  var owner: Int
  var key: String
  var value: Int
}

struct BlobRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "blob"

  var id: Int
  var content: Data
}

struct MessageRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "message"

  var id: Int
  var content: Data
}

struct PageRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "page"

  var path: String
  var content: Data
}

/// A text with a full-text index.
struct NoteRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "note"

  var id: Int
  var body: String
}

/// A line of the log. SQLite assigns its id.
struct LogRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "log"

  var text: String
}

/// ``BenchmarkKit/Issue`` as a record. SQLite assigns the id of a new one.
struct IssueRecord: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "issue"

  var id: Int64?
  var title: String
  var status: String
  var assignee: String
  var created: Date
  var updated: Date
  var body: String

  init(_ issue: Issue) {
    id = issue.id > 0 ? Int64(issue.id) : nil
    title = issue.title
    status = issue.status
    assignee = issue.assignee
    created = issue.created
    updated = issue.updated
    body = issue.body
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

  var issue: Issue {
    Issue(
      id: Int(id ?? 0), title: title, status: status, assignee: assignee, created: created,
      updated: updated, body: body)
  }
}

/// The columns of issues that are queried and changed.
enum IssueColumns {
  static let id = Column("id")
  static let title = Column("title")
  static let status = Column("status")
  static let updated = Column("updated")
}

/// ``BenchmarkKit/Document`` as a record. GRDB stores values without a column type, here tags and
/// counters, as JSON.
struct DocumentRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "document"

  var id: Int
  var title: String
  var body: String
  var tags: [String]
  var counters: [String: Int]
  var revision: Int

  init(_ document: Document) {
    id = document.id
    title = document.title
    body = document.body
    tags = document.tags
    counters = document.counters
    revision = document.revision
  }
}
