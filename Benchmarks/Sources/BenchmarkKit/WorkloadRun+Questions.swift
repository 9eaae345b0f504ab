/// Queries. Each repeat asks a view that was opened for it, with results that were made for it: what is found once is
/// remembered by the results that found it.
extension WorkloadRun {
  func ask(_ question: Question, _ engine: E) throws -> Work {
    let reader = try engine.makeReader()
    let isIndexed = workload.asksIndexed
    switch question {
    case .sumOfAges:
      return read(Expected.sumOfAges(persons)) { try reader.sumOfAges() }
    case .countOlder:
      let age = QuestionInputs.age
      return read(Expected.count(persons) { $0.age > age }) {
        try reader.countPersons(olderThan: age, isIndexed: isIndexed)
      }
    case .lowestScores:
      let count = QuestionInputs.lowestCount
      return read(Expected.idsOfLowestScores(count, of: persons)) {
        try reader.idsOfLowestScores(count, isIndexed: isIndexed)
      }
    case .countBeginning:
      let prefixes = QuestionInputs.prefixes
      return read(Expected.count(persons, beginningWith: prefixes)) {
        try reader.countPersons(beginningWith: prefixes, isIndexed: isIndexed)
      }
    case .countOfAge:
      let age = QuestionInputs.commonAge
      return read(Expected.count(persons) { $0.age == age }) {
        try reader.countPersons(ofAge: age, isIndexed: isIndexed)
      }
    case .countNamed:
      let ids = QuestionInputs.named(operations, of: persons)
      let names = ids.map { Person(id: $0).name }
      return read(Set(ids).count) { try reader.countPersons(named: names) }
    case .plan:
      return read(operations) { try reader.plan(times: operations) }
    }
  }
}
