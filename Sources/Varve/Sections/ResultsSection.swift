/// The elements of a collection that have one key; see ``SectionedResults``.
///
/// A live section follows the collection. A section without elements is empty, and is filled again
/// when an element gets its key.
///
/// Thread safety: see ``SectionedResults``.
public struct ResultsSection<Key: _Persistable & Hashable, Element: RealmCollectionValue>:
  _LiveCollection, ThreadConfined, Identifiable, CustomStringConvertible
{
  let all: SectionedResults<Key, Element>
  private let isMissing: Bool

  /// The key of the elements.
  public let key: Key
  /// The key.
  public var id: Key { key }

  init(_ all: SectionedResults<Key, Element>, _ key: Key, isMissing: Bool = false) {
    self.all = all
    self.key = key
    self.isMissing = isMissing
  }

  private func indexes(_ found: SectionedResults<Key, Element>.Found) -> [Int] {
    guard !isMissing, let number = found.sections.numbers[key] else { return [] }
    return found.sections.indexes[number]
  }

  /// The number of elements.
  public var count: Int { indexes(all.found).count }

  /// Accesses the element at an index of the section.
  public subscript(index: Int) -> Element {
    let found = all.found
    let indexes = indexes(found)
    guard indexes.indices.contains(index) else {
      return all.results.missing(at: index, of: indexes.count)
    }
    return all.results.element(at: indexes[index], of: found.elements)
  }

  /// The first element; nil when the section is empty.
  public var first: Element? { element { $0.first } }

  /// The last element; nil when the section is empty.
  public var last: Element? { element { $0.last } }

  private func element(_ choose: ([Int]) -> Int?) -> Element? {
    let found = all.found
    return choose(indexes(found)).map { all.results.element(at: $0, of: found.elements) }
  }

  /// Returns an iterator over the elements of the version that is read now.
  public func makeIterator() -> AnyIterator<Element> {
    let found = all.found
    var indexes = indexes(found).makeIterator()
    let results = all.results
    return AnyIterator { indexes.next().map { results.element(at: $0, of: found.elements) } }
  }

  /// The realm of the section.
  public var realm: Realm? { all.realm }
  /// Whether the section is frozen: pinned to one version.
  public var isFrozen: Bool { all.isFrozen }
  /// Whether the object that the elements belong to was deleted.
  public var isInvalidated: Bool { all.isInvalidated }
  /// Whether another task may change the section.
  public var _$mayChange: Bool { all._$mayChange }

  /// Returns the section, frozen at the version that it reads now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> ResultsSection {
    ResultsSection(all.freeze(file: file, line: line), key, isMissing: isMissing)
  }

  /// Returns the live section; nil when the object that the elements belong to no longer exists.
  public func thaw() -> ResultsSection? {
    all.thaw().map { ResultsSection($0, key, isMissing: isMissing) }
  }

  /// Returns the same section in another realm of the same store; nil when it does not exist
  /// there.
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
  /// Returns whether two values are the section of one key in copies of the same sections.
  public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
    left.key == right.key && left.all == right.all && left.isMissing == right.isMissing
  }
}
