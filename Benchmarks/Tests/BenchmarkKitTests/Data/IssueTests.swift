import Testing

@testable import BenchmarkKit

@Suite struct IssueTests {
  @Test func issuesHaveFortyWordsAndFewStatuses() {
    let issues = (1...4000).map { Issue(id: $0) }
    let lengths = issues.map { $0.body.split(separator: " ").count }
    #expect(lengths.allSatisfy { (30...50).contains($0) })
    #expect((39...41).contains(lengths.reduce(0, +) / lengths.count))
    #expect(Set(issues.map(\.status)) == Set(Issue.statuses))
    #expect(issues[6] == Issue(id: 7))
  }

  @Test func someWordsAreFrequentAndMostAreRare() {
    let words = (1...2000).flatMap { Issue(id: $0).body.split(separator: " ").map(String.init) }
    let counts = words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    #expect((4000...6000).contains(counts[Issue.word(0)] ?? 0))
    #expect(counts.count > 3500 && counts.values.count { $0 < 20 } > 2000)
    #expect(Set((0..<4096).map(Issue.word)).count == 4096)
    #expect(counts[Issue.markerOfCreated] == nil)
  }

  @Test func createdIssuesContainMarker() {
    let issue = Issue(created: 3)
    #expect(issue.body.split(separator: " ").first.map(String.init) == Issue.markerOfCreated)
    #expect(issue.id == 0 && issue != Issue(created: 4))
  }

  @Test func issuesAndPatchesHaveDistinctDates() {
    let dates =
      (1...1000).map { Issue(id: $0).updated } + (0..<1000).map { Issue(created: $0).updated }
      + (0..<1000).map { IssuePatch(number: $0).updated }
    #expect(Set(dates).count == 3000)
  }

  @Test func patchChangesTitleStatusAndDate() {
    let patch = IssuePatch(number: 5)
    var issue = Issue(id: 1)
    issue.apply(patch)
    var expected = Issue(id: 1)
    (expected.title, expected.status, expected.updated) = (
      patch.title, patch.status, patch.updated
    )
    #expect(issue == expected && issue != Issue(id: 1))
  }
}
