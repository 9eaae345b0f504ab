package import Foundation

/// A store that is measured.
///
/// Each call does a whole workload, so that the harness costs an engine nothing. An engine does what
/// a user of it would write, with its defaults; where it offers less durability than another, that is
/// said in its description, not evened out.
package protocol Engine: Sendable {
  /// As on the command line.
  static var name: String { get }

  /// Opens an empty store in an empty directory.
  init(directory: URL) throws

  /// Stores persons 0, 1, … in one transaction.
  func insertPersons(count: Int) throws

  /// The same of a class that has indexes of name, age and score.
  func insertIndexedPersons(count: Int) throws

  /// A reader with a view of its own, for one thread.
  func makeReader() throws -> any EngineReader

  /// Opens that many views, one after another, on the store that is open already.
  ///
  /// - Returns: The number that saw all persons.
  func openViews(count: Int, persons: Int) throws -> Int

  /// Appends 0, 1, … to one list of integers in one transaction.
  func appendToList(count: Int) throws

  /// Inserts `keys[i]` → i into one dictionary in one transaction.
  func insertIntoMap(keys: [String]) throws

  /// Observes a collection while commits are made, each when the one before was heard of.
  ///
  /// - Parameters:
  ///   - collection: what to observe, and what a commit changes.
  ///   - commits: how many to make.
  ///   - count: how many persons, elements or keys there are: persons 0, 1, … or the keys of ``Inputs``.
  /// - Returns: the commits in order.
  /// - Throws: what the engine throws.
  func observe(
    _ collection: ObservedCollection, commits: Int, count: Int
  ) throws -> [ObservedCommit]

  /// Changes a property of person 0, each time in a commit of its own, to 1, 2, …
  ///
  /// - Parameters:
  ///   - count: how many commits to make.
  ///   - pause: how long to wait before each.
  ///   - isDurable: whether to wait for the disk, as the engine does by default.
  /// - Returns: when each commit began and when it returned, in seconds of ``SharedClock``.
  /// - Throws: what the engine throws.
  func commit(_ count: Int, pause: Duration, isDurable: Bool) throws -> [TimedCommit]

  /// Observes all persons while another process does ``commit(_:pause:isDurable:)``.
  ///
  /// - Parameters:
  ///   - last: the number that is committed last.
  ///   - work: has the other process commit, and returns when it is done.
  /// - Returns: the calls, up to that which has the last commit.
  /// - Throws: what the work and the engine throw.
  func listen(upTo last: Int, while work: () throws -> Void) throws -> [HeardNumber]

  /// Makes commits of one changed property to a new store.
  ///
  /// - Parameters:
  ///   - count: how many commits to make.
  ///   - isObserved: whether an observer lives meanwhile.
  ///   - isDurable: whether each commit is on the disk when it returns.
  /// - Returns: the bytes that its file has afterwards.
  /// - Throws: what the engine throws.
  func grow(commits count: Int, isObserved: Bool, isDurable: Bool) throws -> Int

  /// Compares two versions of the persons, several times.
  ///
  /// - Parameters:
  ///   - isChanged: whether one person differs, or something else does.
  ///   - count: how many persons there are.
  ///   - times: how often to compare.
  /// - Returns: the seconds of each comparison, and how many persons it found.
  /// - Throws: what the engine throws.
  func compare(isChanged: Bool, count: Int, times: Int) throws -> [ComparedVersions]

  /// Gives the persons another schema: the score becomes a text, and the age gets another name.
  ///
  /// - Throws: what the engine throws.
  func migrate() throws

  /// Goes through all persons after ``migrate()`` and reads their ages.
  ///
  /// - Returns: the ages of those whose scores are right.
  /// - Throws: what the engine throws.
  func readMigratedAges() throws -> Checksum

  /// Stores all persons once more, by their ids and with every property, as
  /// ``Person/updated(id:)``.
  ///
  /// - Parameters:
  ///   - count: how many persons there are.
  ///   - onlyDifferences: whether properties that are as they were are left alone.
  /// - Throws: what the engine throws.
  func updatePersons(count: Int, onlyDifferences: Bool) throws

  /// Writes the store as text into a file.
  ///
  /// - Throws: what the engine throws.
  func exportText() throws

  /// Stores what ``exportText()`` wrote in another store.
  ///
  /// - Throws: what the engine throws.
  func importText() throws

  /// Goes through all persons of the other store after ``importText()`` and reads their ages.
  ///
  /// - Returns: the ages of those whose names and scores are right.
  /// - Throws: what the engine throws.
  func readImportedAges() throws -> Checksum

  /// Closes the store.
  func close() throws
}

/// Reads a store. One reader is used by one thread.
package protocol EngineReader {
  /// Looks each person up and reads name, age and score.
  func lookUp(ids: [Int]) throws -> Checksum

  /// Goes through all persons and reads their ages.
  func readAges() throws -> Checksum

  /// Reads the list at these indexes.
  func readList(at indexes: [Int]) throws -> Checksum

  /// Reads the dictionary at these keys.
  func readMap(keys: [String]) throws -> Checksum

  /// The sum of the ages of all persons without indexes, as a query.
  func sumOfAges() throws -> Int

  /// How many persons are older, as a query; `isIndexed` says of which class here and below.
  func countPersons(olderThan age: Int, isIndexed: Bool) throws -> Int

  /// How many persons have that age, as a query.
  func countPersons(ofAge age: Int, isIndexed: Bool) throws -> Int

  /// How many persons have a name with one of these prefixes, as a query.
  func countPersons(beginningWith prefixes: [String], isIndexed: Bool) throws -> Int

  /// How many persons with indexes have one of these names, as a query.
  func countPersons(named names: [String]) throws -> Int

  /// Sorts all persons by their scores, those of the same score by their ids, and reads the ids of the first.
  func idsOfLowestScores(_ count: Int, isIndexed: Bool) throws -> [Int]

  /// Parses and plans `age > 50 AND name BEGINSWITH 'user12'` of the persons with indexes, again and again.
  ///
  /// - Parameter times: how often.
  /// - Returns: how many plans were made.
  /// - Throws: what the engine throws.
  func plan(times: Int) throws -> Int
}
