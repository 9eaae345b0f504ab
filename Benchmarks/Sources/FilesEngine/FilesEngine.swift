package import BenchmarkKit
package import Foundation
import Synchronization

/// Storage without a database: one file per object, blob, message and page, and a log that is
/// appended to.
///
/// Objects are JSON, encoded by `Codable`: the format that most programs would choose, and a
/// readable one. The files of a kind are in 256 directories, see ``FileLocation``. With full
/// durability, a file is written under a temporary name, synchronized and renamed, and its
/// directory is synchronized; for many files see ``FileTransaction``. There are no indexes, no
/// snapshots, and no protection against lost updates of two writers.
package final class FilesEngine: PersonEngine {
  package static let name = "files"

  /// A million files take a quarter of an hour to write and to remove, and show nothing that fewer
  /// files do not. Data that is usually kept in files is not limited.
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

  /// Only the log is open, and it closes with its owner.
  package func close() throws {}

  package func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws {
    let encoder = JSONEncoder()
    try persons.write(ids, perTransaction: perTransaction) { id, write in
      try encoder.encode(Person(id: id)).withUnsafeBytes {
        try write($0, FileLocation(id))
      }
    }
  }

  /// Threads instead of tasks: a task that waits for the disk blocks one of few threads, and the
  /// file system flushes the files of many waiting threads together.
  package func insertPersonsConcurrently(_ count: Int, writers: Int) throws {
    try BackgroundThread.run(writers) { [persons] writer in
      let encoder = JSONEncoder()
      for id in stride(from: writer, to: count, by: writers) {
        try encoder.encode(Person(id: id)).withUnsafeBytes {
          try persons.write($0, to: FileLocation(id))
        }
      }
    }
  }

  package func setAge(ofPerson id: Int, to age: Int) throws {
    guard var person = try JSONFileReader<Person>(persons).read(FileLocation(id)) else {
      return
    }
    person.age = age
    try JSONEncoder().encode(person).withUnsafeBytes { try persons.write($0, to: FileLocation(id)) }
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
      try encoder.encode(person).withUnsafeBytes { try write($0, FileLocation(person.name)) }
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
