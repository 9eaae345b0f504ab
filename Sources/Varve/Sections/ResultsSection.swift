/// The elements of a collection that have one key; see ``SectionedResults``.
///
/// A live section follows the collection; without an element it is empty, and one again when there is one.
///
/// Thread safety: as ``SectionedResults``.
public struct ResultsSection<Key: _Persistable & Hashable, Element: RealmCollectionValue>:
  _LiveCollection, ThreadConfined, Identifiable, CustomStringConvertible
{
  let all: SectionedResults<Key, Element>
  private let isMissing: Bool

  /// The key of its elements.
  public let key: Key
  /// The key.
  public var id: Key { key }

  init(_ all: SectionedResults<Key, Element>, _ key: Key, isMissing: Bool = false) {
    self.all = all
    self.key = key
    self.isMissing = isMissing
  }

  private func places(_ found: SectionedResults<Key, Element>.Found) -> [Int] {
    guard !isMissing, let number = found.sections.numbers[key] else { return [] }
    return found.sections.places[number]
  }

  /// The number of elements.
  public var count: Int { places(all.found).count }

  /// The element at a place in the section.
  public subscript(index: Int) -> Element {
    let found = all.found
    let places = places(found)
    guard places.indices.contains(index) else {
      return all.results.missing(at: index, of: places.count)
    }
    return all.results.element(at: places[index], of: found.elements)
  }

  /// The first element; nil when there is none.
  public var first: Element? { element { $0.first } }

  /// The last element; nil when there is none.
  public var last: Element? { element { $0.last } }

  private func element(_ choose: ([Int]) -> Int?) -> Element? {
    let found = all.found
    return choose(places(found)).map { all.results.element(at: $0, of: found.elements) }
  }

  /// Walks the elements of the version that is read now.
  public func makeIterator() -> AnyIterator<Element> {
    let found = all.found
    var places = places(found).makeIterator()
    let results = all.results
    return AnyIterator { places.next().map { results.element(at: $0, of: found.elements) } }
  }

  /// The realm.
  public var realm: Realm? { all.realm }
  /// Whether the section is pinned to one version.
  public var isFrozen: Bool { all.isFrozen }
  /// Whether what the elements belong to was deleted.
  public var isInvalidated: Bool { all.isInvalidated }
  /// Whether another task may change what is read.
  public var _$mayChange: Bool { all._$mayChange }

  /// The section pinned to the version that it reads now.
  ///
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the frozen section.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> ResultsSection {
    ResultsSection(all.freeze(file: file, line: line), key, isMissing: isMissing)
  }

  /// The live section; nil when what the elements belong to does not exist any more.
  public func thaw() -> ResultsSection? {
    all.thaw().map { ResultsSection($0, key, isMissing: isMissing) }
  }

  /// The same section in another realm of the same store; nil when it does not exist there.
  public func _$resolved(in realm: Realm) -> ResultsSection? {
    all._$resolved(in: realm).map { ResultsSection($0, key, isMissing: isMissing) }
  }

  /// The key and the first 100 elements.
  public var description: String {
    CollectionText.text(
      "ResultsSection<\(Key.self), \(Element.self)> \(key)", IteratorSequence(makeIterator()),
      count: count, empty: "[]"
    ) { $0._$boxed.text }
  }
}

extension ResultsSection: Equatable {
  /// Whether two values are the section of one key in copies of the same sections.
  public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
    left.key == right.key && left.all == right.all && left.isMissing == right.isMissing
  }
}
