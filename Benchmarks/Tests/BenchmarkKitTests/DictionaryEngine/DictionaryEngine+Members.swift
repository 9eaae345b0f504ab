import BenchmarkKit

extension DictionaryEngine: MemberEngine {
  func insertMembers(_ count: Int) throws {
    store.write { $0.members = MemberModel(count: kept(0..<count).count) }
  }

  func readMembers(_ body: (any MemberReader) throws -> Void) throws {
    try body(DictionaryMembers<Kind>(store.read { $0.members }))
  }

  func writeMembers(_ body: (any MemberWriter) throws -> Void) throws {
    let members = DictionaryMembers<Kind>(store.read { $0.members })
    try body(members)
    if Kind.flaw == .commitsWhatIsRolledBack { store.write { $0.members = members.model } }
  }
}

/// The members of one reader or writer.
private final class DictionaryMembers<Kind: EngineKind>: MemberWriter {
  private(set) var model: MemberModel

  init(_ model: MemberModel) { self.model = model }

  func change(_ member: Member) throws {
    if model.members.indices.contains(member.id) { model.apply(member) }
  }

  func answer(_ question: MemberQuestion) throws -> [Int] {
    guard Kind.flaw == nil || Kind.flaw == .commitsWhatIsRolledBack else { return [-1] }
    return model.answer(question)
  }
}
