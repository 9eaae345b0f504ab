import Testing
import Varve

@testable import PackageIndexDemo

@Suite struct QuestionTests {
  @Test func everyQuestionHasAnswerInSample() throws {
    try TemporaryStore.with { (_, realm) throws in
      let packageImport = PackageImport(into: realm)
      try packageImport.add(TemporaryStore.sample())
      _ = try packageImport.link { _ in }
      for question in Question.all {
        #expect(!question.answer(realm).rows.isEmpty, "\(question.text)")
      }
    }
  }

  @Test func answersAreCorrect() throws {
    let records = try TemporaryStore.sample()
    try TemporaryStore.with { (_, realm) throws in
      let packageImport = PackageImport(into: realm)
      try packageImport.add(records)
      _ = try packageImport.link { _ in }
      let answers = Question.all.map { $0.answer(realm).rows }

      let bySection = Dictionary(grouping: records, by: \.section)
      let largest = bySection.values.compactMap { $0.map(\.installedSize).max() }
        .sorted(by: >).prefix(6)
      #expect(answers[0].map { $0[2] } == largest.map(Quantity.bytes))
      let games = Set(records.filter { $0.section == "games" }.map(\.name))
      #expect(!answers[1].isEmpty)
      #expect(answers[1].allSatisfy { games.contains($0[0]) })
      let needLibc = records.filter { record in
        Dependency.parse(record.dependencyText).contains { $0.alternatives.first == "libc6" }
      }
      #expect(answers[2].first { $0[0] == "libc6" }?[1] == String(needLibc.count))
    }
  }

  @Test func onePackageIsSingular() throws {
    try TemporaryStore.with { (_, realm) throws in
      try PackageImport(into: realm).add([TemporaryStore.record("bash")])
      let lines = Question.all.flatMap { $0.lines(realm) }
      #expect(lines.contains("  A Team  1 package"))
      #expect(lines.contains("  bash  1 package  0 B"))
    }
  }

  @Test func packageWithoutDependentsHasNoExamples() throws {
    try TemporaryStore.with { (_, realm) throws in
      try PackageImport(into: realm).add([TemporaryStore.record("liblmdb0")])
      #expect(Question.all.flatMap { $0.lines(realm) }.contains("  liblmdb0  0"))
    }
  }

  @Test func emptyStoreHasEmptyAnswers() throws {
    try TemporaryStore.with { (_, realm) throws in
      for question in Question.all {
        #expect(question.answer(realm).rows.isEmpty)
        #expect(question.lines(realm) == ["  none"])
      }
    }
  }
}
