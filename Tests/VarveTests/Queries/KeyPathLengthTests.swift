import Testing
import Varve

/// Key paths that are too long, in every call that accepts a key path as text.
@Suite struct KeyPathLengthTests {
  private static let lengths = [101, 1_000, 100_000]

  /// A path over links, with a property at its end.
  private static func path(_ count: Int, to last: String = "number") -> String {
    String(repeating: "next.", count: count - 1) + last
  }

  private func expectRefusals(
    _ realm: Realm, _ path: String, number: String, _ link: ChainLink
  ) throws {
    let links = realm.objects(ChainLink.self)
    let unmanaged = ChainLink()
    let list = List<ChainLink>()
    list.append(unmanaged)
    let refused: [() throws -> Void] = [
      { _ = try links.observe(keyPaths: [path]) { _ in } },
      { _ = try links.changes(keyPaths: [path]) },
      { _ = try link.observe(keyPaths: [path]) { _ in } },
      { _ = try link.branches.observe(keyPaths: ["number", path]) { _ in } },
      { _ = try link.byName.observe(keyPaths: [path]) { _ in } },
      { _ = try SortDescriptor(keyPath: number, of: ChainLink.self) },
      { _ = try links.filter("TRUEPREDICATE SORT(\(number) ASC)") },
      { _ = try links.filter("TRUEPREDICATE DISTINCT(\(number))") },
      { _ = try links.distinct(by: [number]) },
      { _ = try links.filter("%K == 1", number) },
      { _ = try links.filter("ANY \(number) == 1") },
      { let _: Int? = try links.min(ofProperty: number) },
      { let _: Int? = try links.max(ofProperty: number) },
      { let _: Int = try links.sum(ofProperty: number) },
      { _ = try links.average(ofProperty: number) },
      { _ = try list.average(ofProperty: number) },
      { _ = try link.value(forKeyPath: number) },
      { _ = try unmanaged.value(forKeyPath: number) },
      { _ = try links.value(forKeyPath: number) },
      { _ = try link.branches.value(forKeyPath: number) },
      { _ = try link.byName.value(forKeyPath: number) },
      { _ = try links.value(forKeyPath: "@sum." + number) },
    ]
    for (index, call) in refused.enumerated() {
      let error = thrownError(call)
      #expect(error?.code == .invalidInput, "\(index)")
    }
  }

  @Test(arguments: lengths)
  func tooLongPathsThrow(count: Int) throws {
    try withTemporaryRealm { realm, _ in
      onASmallStack {
        let link = try realm.write { realm.create(ChainLink.self, value: ["number": 1]) }
        let path = Self.path(count)
        try expectRefusals(realm, path, number: path, link)
      }
    }
  }

  @Test func pathOfHundredStepsIsAccepted() throws {
    try withTemporaryRealm { realm, _ in
      onASmallStack(size: 8 << 20) {
        let link = try realm.write { realm.create(ChainLink.self, value: ["number": 1]) }
        let path = Self.path(100)
        let links = realm.objects(ChainLink.self)
        let sorted = links.sorted(by: [try SortDescriptor(keyPath: path, of: ChainLink.self)])
        #expect(sorted.count == 1)
        #expect(try links.distinct(by: [path]).isEmpty)
        #expect(try links.filter("%K == 1", path).isEmpty)
        #expect(try links.average(ofProperty: path) == nil)
        #expect(try link.value(forKeyPath: path) == nil)
        let many = String(repeating: "branches.", count: 99) + "number"
        _ = try link.branches.value(forKeyPath: many)
        try links.observe(keyPaths: [path, many]) { _ in }.invalidate()
      }
    }
  }
}
