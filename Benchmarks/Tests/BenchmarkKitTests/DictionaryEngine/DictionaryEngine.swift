import BenchmarkKit
import Foundation
import Synchronization

/// An engine in memory that supports everything, and works correctly unless its kind has a flaw.
///
/// Engines in one directory share their store, like processes.
final class DictionaryEngine<Kind: EngineKind>: PersonEngine {
  static var name: String { "dictionary" }

  let directory: URL
  let store: DictionaryStore

  init(directory: URL, durability: Durability) throws {
    if Kind.flaw == .cannotOpen { throw EngineFailure() }
    self.directory = directory
    store = DictionaryStore.of(directory)
    EngineEvents.note("open \(durability)", ofStoreIn: directory)
  }

  func close() throws {
    EngineEvents.note("close", ofStoreIn: directory)
    DictionaryStore.forget(directory)
    if Kind.flaw == .cannotClose { throw EngineFailure() }
  }

  func insertPersons(_ ids: Range<Int>, perTransaction: Int) throws {
    if Kind.flaw == .cannotInsert { throw EngineFailure() }
    if Kind.flaw == .refusesToInsert { throw NotOffered("no persons") }
    EngineEvents.note("insert \(ids.count)", ofStoreIn: directory)
    store.write { contents in
      for id in kept(ids) { contents.persons[id] = Person(id: id) }
    }
    try Data(count: 10_000).write(to: directory.appendingPathComponent("data"))
  }

  func insertPersonsConcurrently(_ count: Int, writers: Int) throws {
    let ids = kept(0..<count)
    try ConcurrentTasks.run(writers) { [store] writer in
      for id in stride(from: writer, to: ids.count, by: writers) {
        store.write { $0.persons[id] = Person(id: id) }
      }
    }
  }

  func setAge(ofPerson id: Int, to age: Int) throws {
    if Kind.flaw == .losesHalf { return }
    store.write { $0.persons[id]?.age = age }
  }

  func makePersonReader() throws -> any PersonReader { reader }

  var reader: DictionaryReader<Kind> { DictionaryReader(contents: store.read { $0 }) }

  /// The part of a range that is stored.
  func kept(_ range: Range<Int>) -> Range<Int> {
    Kind.flaw == .losesHalf ? range.prefix(range.count / 2) : range
  }
}

struct EngineFailure: Error {}

/// Reads the state at the time of its creation.
struct DictionaryReader<Kind: EngineKind> {
  let contents: DictionaryStore.Contents

  func answer(_ checksum: Checksum) -> Checksum {
    var checksum = checksum
    if Kind.flaw == .answersWrongly { checksum.integers += 1 }
    return checksum
  }

  func answer(_ number: Int) -> Int { Kind.flaw == .answersWrongly ? number + 1 : number }
}

extension DictionaryReader: PersonReader, NamedPersonReader {
  func lookUp(ids: [Int]) throws -> Checksum { answer(checksum(ids.map { contents.persons[$0] })) }

  func lookUp(names: [String]) throws -> Checksum {
    answer(checksum(names.map { contents.namedPersons[$0] }))
  }

  func readAges() throws -> Checksum {
    answer(contents.persons.values.reduce(into: Checksum()) { $0.add($1.age) })
  }

  func readPerson(_ id: Int) throws -> Person? {
    let person = contents.persons[id]
    guard Kind.flaw == .answersWrongly, let person else { return person }
    return Person(id: person.id, age: 101)
  }

  private func checksum(_ persons: [Person?]) -> Checksum {
    persons.reduce(into: Checksum()) {
      if let person = $1 { $0.add(person) }
    }
  }
}

extension DictionaryEngine: ValueEngine {
  func insertPersonValues(_ count: Int) throws {
    try insertPersons(0..<count, perTransaction: .max)
  }
}

extension DictionaryEngine: NamedPersonEngine {
  func insertNamedPersons(_ count: Int) throws {
    store.write { contents in
      for id in kept(0..<count) {
        let person = Person(id: id)
        contents.namedPersons[person.name] = person
      }
    }
  }

  func makeNamedPersonReader() throws -> any NamedPersonReader { reader }
}
