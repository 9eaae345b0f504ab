import BenchmarkKit

extension DictionaryEngine: ServerEngine {
  func insertIssues(_ count: Int) throws {
    store.write { contents in
      for id in kept(1..<count + 1) { contents.issues[id] = Issue(id: id) }
    }
  }

  func issue(_ id: Int) async throws -> Issue? {
    var issue = store.read { $0.issues[id] }
    if Kind.flaw == .answersWrongly { issue?.assignee += "?" }
    return issue
  }

  func newestIssues(ofStatus status: String, limit: Int) async throws -> [Issue] {
    let all = store.read { $0.issues.values.filter { $0.status == status } }
    let sorted = all.sorted { $0.updated > $1.updated }.prefix(limit)
    return Kind.flaw == .answersWrongly ? sorted.dropLast() : Array(sorted)
  }

  func patchIssue(_ id: Int, _ patch: IssuePatch) async throws -> Bool {
    store.write { contents in
      guard contents.issues[id] != nil else { return false }
      if Kind.flaw == .losesPatches, id % 2 == 0 { return true }
      contents.issues[id]?.apply(patch)
      return true
    }
  }

  func createIssue(_ issue: Issue) async throws -> Int {
    store.write { contents in
      var issue = issue
      issue.id = (contents.issues.keys.max() ?? 0) + (Kind.flaw == .skipsIDs ? 2 : 1)
      contents.issues[issue.id] = issue
      return issue.id
    }
  }

  func issueIDs() throws -> [Int] { store.read { $0.issues.keys.sorted() } }

  func issueIDs(withWord word: String) throws -> [Int] {
    if Kind.flaw == .forgetsWords { return [] }
    let issues = store.read { Array($0.issues.values) }
    return issues.filter { $0.body.split(separator: " ").contains { $0 == word } }.map(\.id)
      .sorted()
  }
}
