import Testing
import VarveCore

@testable import VarveTool

@Suite struct PredicateErrorTests {
  @Test func errorShowsPosition() {
    let error = TextPredicateError(message: "No.", position: 5).error(in: "age\tis 5")
    #expect(error.description == "No. (character 6 of the predicate)\n  age\\tis 5\n        ^")
    let long = TextPredicateError(message: "No.", position: 500)
      .error(in: String(repeating: "x", count: 1000))
    #expect(long.description.split(separator: "\n").allSatisfy { $0.count < 100 })
    let end = TextPredicateError(message: "No.", position: 3).error(in: "age")
    #expect(end.description == "No. (character 4 of the predicate)\n  age\n     ^")
  }
}
