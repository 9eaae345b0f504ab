import Testing

@testable import VarveTool

@Suite struct ShellWordsTests {
  private let words = ShellWords([
    .init(name: "Dog", targets: ["name": nil, "age": nil, "owner": "Person"]),
    .init(name: "Person", targets: ["name": nil, "dogs": "Dog"]),
  ])

  private func candidates(_ text: String) -> [String] {
    words.complete(EditedLine(text)).candidates
  }

  @Test func classesAndCommandsAreCompleted() {
    #expect(candidates("D") == ["Dog", "diff"])
    #expect(candidates(".m") == [".mode"])
    #expect(candidates("query P") == ["Person"])
    #expect(candidates(".mode j") == ["json"])
  }

  @Test func propertiesAndKeywordsAreCompleted() {
    #expect(candidates("Dog a") == ["ALL", "AND", "ANY", "ASC", "age"])
    #expect(candidates("Dog (ag") == ["age"])
    #expect(candidates("query Dog 'na") == ["name"])
    #expect(candidates("Dog owner.") == ["owner.dogs", "owner.name"])
    #expect(candidates("Dog owner.dogs.ow") == ["owner.dogs.owner"])
    #expect(candidates("Dog age.x") == [])
  }

  @Test func sharedPartIsInserted() {
    #expect(Completion(of: "na", among: ["name"]).insertion == "name ")
    #expect(Completion(of: "SO", among: ["SORT("]).insertion == "SORT(")
    #expect(Completion(of: "n", among: ["name", "names"]).insertion == "name")
    #expect(Completion(of: "name", among: ["name", "names"]).insertion == nil)
    #expect(Completion(of: "x", among: ["name"]).insertion == nil)
  }
}
