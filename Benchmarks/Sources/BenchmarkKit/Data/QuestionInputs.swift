/// The constants of the queries of persons. The comments give the number of matches in 1 M.
enum QuestionInputs {
  /// 490,000 persons are older.
  static let age = 50

  /// 10,000 persons are of this age.
  static let commonAge = 42

  /// 11,700 names begin with one of these prefixes: names are random hexadecimal digits, so that
  /// each prefix of two digits matches one name in 256.
  static let prefixes = ["a7", "3c", "f0"]

  /// The number of lowest scores in the query.
  static let lowestCount = 100

  /// The prefix of titles in the scan of documents. 11,111 of 100,000 titles begin with it.
  static let titlePrefix = "Document 1"

  /// The persons whose names are searched. Some occur twice.
  static func named(_ count: Int, of persons: Int) -> [Int] {
    Inputs.indexes(count, below: persons, seed: 7)
  }
}
