package import BenchmarkKit
import CRawLMDB
package import Foundation

/// LMDB itself: its C API, called from C, with rows that are packed by hand. It is the upper limit
/// for a store on LMDB: there is no mapping, checking, planning, observing or synchronizing, which
/// every user would have to implement.
///
/// - The environment: one file, `MDB_NOSUBDIR`; `MDB_NOTLS`, without which a thread could have only
///   one reader; a map of 16 GiB; 1,024 readers; LMDB's own durability, or `MDB_NOSYNC`.
/// - A table for each kind of data, without duplicates. Ids and positions are `MDB_INTEGERKEY`,
///   other keys are ordered by `memcmp`. Ascending keys are appended (`MDB_APPEND`), which fills
///   pages.
/// - Persons are structs of 60 bytes, so that a page has as many of them as of Varve's rows; see
///   `Person.h`.
/// - Indexes are tables of the value and the id, filled together with the rows, in random order, as
///   an insertion would fill them.
/// - A list has the position as its key. Insertions in the middle are not supported, because they
///   would renumber the following elements.
/// - A document is one value, which is unpacked, packed again and put back. A small list or a small
///   dictionary is also one value.
///
/// Loops are in C, except for loops over strings, which are in Swift and call C once per string.
package struct LMDBEngine: PersonEngine {
  package static let name = "lmdb"

  let store: LMDBStore

  package init(directory: URL, durability: Durability) throws {
    store = try LMDBStore(
      path: directory.appendingPathComponent("bench.lmdb").path, durability: durability)
  }

  package func close() throws { store.close() }

  package func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws {
    try check(
      rawlmdb_insert_persons(store.handle, ids.lowerBound, ids.upperBound, perTransaction))
  }

  /// Each writer is a thread. LMDB serializes the writers.
  package func insertPersonsConcurrently(_ count: Int, writers: Int) throws {
    try check(rawlmdb_insert_persons_concurrently(store.handle, count, writers))
  }

  package func setAge(ofPerson id: Int, to age: Int) throws {
    try check(rawlmdb_set_age(store.handle, id, age))
  }

  package func makePersonReader() throws -> any PersonReader { try LMDBReader(store.handle) }
}

extension LMDBEngine: NamedPersonEngine {
  package func insertNamedPersons(_ count: Int) throws {
    try check(rawlmdb_insert_named_persons(store.handle, count))
  }

  package func makeNamedPersonReader() throws -> any NamedPersonReader {
    try LMDBReader(store.handle)
  }
}

extension LMDBEngine: QueryEngine {
  package func insertIndexedPersons(_ count: Int) throws {
    try check(rawlmdb_insert_indexed_persons(store.handle, count))
  }

  package func makeQueryReader(isIndexed: Bool) throws -> any QueryReader {
    LMDBQueryReader(reader: try LMDBReader(store.handle), isIndexed: isIndexed)
  }
}

extension LMDBEngine: FreezingEngine {
  /// A version is pinned by a read transaction. A well-written program keeps one and renews it.
  package func freezeAndReadAge(ofPerson id: Int) throws -> Int {
    var age = 0
    try check(rawlmdb_freeze_and_read_age(store.resting.handle, id, &age))
    return age
  }
}

extension LMDBEngine: ListEngine, MapEngine {
  package func appendToList(_ count: Int) throws {
    try check(rawlmdb_append_to_list(store.handle, count))
  }

  package func insertIntoList(_ insertions: [(element: Int, index: Int)]) throws {
    throw NotOffered("all later positions would have to be renumbered")
  }

  package func removeFromList(at indexes: [Int]) throws {
    throw NotOffered("all later positions would have to be renumbered")
  }

  package func makeListReader() throws -> any ListReader { try LMDBReader(store.handle) }

  package func insertIntoMap(_ keys: [String]) throws {
    try store.write { writer in
      for (number, key) in keys.enumerated() {
        try check(withBytes(of: key) { rawlmdb_put_into_map(writer, $0, number) })
      }
    }
  }

  package func makeMapReader() throws -> any MapReader { try LMDBReader(store.handle) }
}
