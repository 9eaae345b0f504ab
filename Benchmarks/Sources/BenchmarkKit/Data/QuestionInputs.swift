/// What the queries about persons ask for; how many of 1 M satisfy each.
enum QuestionInputs {
  /// 490,000 persons are older.
  static let age = 50

  /// 10,000 persons have this age.
  static let commonAge = 42

  /// 11,700 names begin with one of these: names are hexadecimal digits in no order, so that each prefix of two has
  /// one of 256 names.
  static let prefixes = ["a7", "3c", "f0"]

  /// How many of the least scores are asked for.
  static let lowestCount = 100

  /// The persons whose names are looked for; some are there twice.
  static func named(_ count: Int, of persons: Int) -> [Int] {
    Inputs.indexes(count, below: persons, seed: 7)
  }
}
