import BenchmarkKit

extension DictionaryEngine: FreezingEngine, ViewEngine, ComparingEngine, GrowingEngine {
  func freezeAndReadAge(ofPerson id: Int) throws -> Int {
    reader.answer(store.read { $0.persons[id]?.age ?? -1 })
  }

  func openViews(_ count: Int, persons: Int) throws -> Int {
    reader.answer(store.read { $0.persons.count } == persons ? count : 0)
  }

  func compare(isChanged: Bool, count: Int, times: Int) throws -> [ComparedVersions] {
    let differing = isChanged == (Kind.flaw == nil) ? 1 : 0
    return (0..<times).map { ComparedVersions(seconds: Double($0) / 1000, differing: differing) }
  }

  func grow(commits count: Int, isObserved: Bool) throws -> Int { isObserved ? 12_288 : 8192 }
}

extension DictionaryEngine: MigratingEngine, UpdatingEngine, TextEngine {
  func migrate() throws {}

  func readMigratedAges() throws -> Checksum { try reader.readAges() }

  func updatePersons(_ count: Int, onlyDifferences: Bool) throws {
    store.write { contents in
      for id in kept(0..<count) { contents.persons[id] = Person.updated(id: id) }
    }
  }

  func exportText() throws { store.write { $0.text = $0.persons } }

  func importText() throws { store.write { $0.imported = $0.text } }

  func readImportedAges() throws -> Checksum {
    let persons = store.read { $0.imported.values.map(\.age) }
    return reader.answer(persons.reduce(into: Checksum()) { $0.add($1) })
  }
}
