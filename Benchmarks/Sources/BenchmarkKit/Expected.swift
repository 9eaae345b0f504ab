/// The right answers.
enum Expected {
  static func ages(_ count: Int) -> Checksum {
    var checksum = Checksum()
    for id in 0..<count { checksum.add(Person(id: id).age) }
    return checksum
  }

  static func updatedAges(_ count: Int) -> Checksum {
    var checksum = Checksum()
    for id in 0..<count { checksum.add(Person.updated(id: id).age) }
    return checksum
  }

  static func persons(_ ids: [Int]) -> Checksum {
    var checksum = Checksum()
    for id in ids {
      let person = Person(id: id)
      checksum.add(name: person.name, age: person.age, score: person.score)
    }
    return checksum
  }

  static func list(at indexes: [Int]) -> Checksum {
    var checksum = Checksum()
    for index in indexes { checksum.add(index) }
    return checksum
  }
}
