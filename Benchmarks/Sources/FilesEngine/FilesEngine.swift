package import BenchmarkKit
package import Foundation
import Synchronization

/// What is done without a database: a file an object, a blob, a message, a page; a log that is appended to.
///
/// Objects are JSON, as `Codable` has it: the format that most programs would choose, and the one that they could read by
/// eye. Files are in 256 directories a kind, see ``FilePlace``. Where the durability is full, a file is written beside,
/// synchronised and renamed, and its directory is synchronised; of many files see ``FileTransaction``. There is no index, no
/// view, and nothing that keeps two writers from losing what the other wrote.
package final class FilesEngine: PersonEngine {
  package static let name = "files"

  /// A million files take a quarter of an hour to write and to remove, and tell nothing that fewer do not. Of what is kept in
  /// files everywhere all is kept.
  package static func largestCount(of workload: Workload) -> Int {
    workload.name.hasPrefix("W") ? 20_000 : .max
  }

  let persons: FileCollection
  let namedPersons: FileCollection
  let blobs: FileCollection
  let messages: FileCollection
  let pages: FileCollection
  let documents: FileCollection
  let log: LogFile

  package init(directory: URL, durability: Durability) throws {
    persons = FileCollection("persons", in: directory, durability)
    namedPersons = FileCollection("named-persons", in: directory, durability)
    blobs = FileCollection("blobs", in: directory, durability)
    messages = FileCollection("messages", in: directory, durability)
    pages = FileCollection("pages", in: directory, durability)
    documents = FileCollection("documents", in: directory, durability)
    log = LogFile(in: directory, durability)
  }

  /// Nothing is open but the log, which closes with its owner.
  package func close() throws {}

  package func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws {
    let encoder = JSONEncoder()
    try persons.write(ids, perTransaction: perTransaction) { id, write in
      try encoder.encode(Person(id: id)).withUnsafeBytes {
        try write($0, FilePlace(id))
      }
    }
  }

  /// Threads and not tasks: a task that waits for the disk keeps one of few threads, and the file system brings to the disk
  /// together what many wait for.
  package func insertPersonsConcurrently(_ count: Int, writers: Int) throws {
    try BackgroundThread.run(writers) { [persons] writer in
      let encoder = JSONEncoder()
      for id in stride(from: writer, to: count, by: writers) {
        try encoder.encode(Person(id: id)).withUnsafeBytes {
          try persons.write($0, to: FilePlace(id))
        }
      }
    }
  }

  package func setAge(ofPerson id: Int, to age: Int) throws {
    guard var person = try JSONFileReader<Person>(persons).read(FilePlace(id)) else {
      return
    }
    person.age = age
    try JSONEncoder().encode(person).withUnsafeBytes { try persons.write($0, to: FilePlace(id)) }
  }

  package func makePersonReader() throws -> any PersonReader {
    FilesPersonReader(persons: try JSONFileReader(persons))
  }
}

extension FilesEngine: NamedPersonEngine {
  package func insertNamedPersons(_ count: Int) throws {
    let encoder = JSONEncoder()
    try namedPersons.write(0..<count, perTransaction: .max) { id, write in
      let person = Person(id: id)
      try encoder.encode(person).withUnsafeBytes { try write($0, FilePlace(person.name)) }
    }
  }

  package func makeNamedPersonReader() throws -> any NamedPersonReader {
    FilesPersonReader(persons: try JSONFileReader(namedPersons))
  }
}

extension FilesEngine: QueryEngine {
  package func insertIndexedPersons(_ count: Int) throws { throw Self.noIndexes }

  package func makeQueryReader(isIndexed: Bool) throws -> any QueryReader {
    if isIndexed { throw Self.noIndexes }
    return FilesPersonReader(persons: try JSONFileReader(persons))
  }

  private static let noIndexes = NotOffered("files have no indexes")
}
