public import Foundation
import VarveCore
import VarveEncoding
import VarveLocks

/// The elements of a collection, grouped into sections by a key.
///
/// ```swift
/// let byAge = people.sectioned(by: \.age)
/// for section in byAge { print(section.key, section.map(\.name)) }
/// let byLetter = people.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
/// ```
///
/// Sections by a key path without sort descriptors are in the order of their keys. All others are
/// in the order of their first elements. Sections are live or frozen like the collection, and are
/// evaluated when they are read, once for each version.
///
/// An index out of bounds traps on frozen sections. On live sections it returns an empty section
/// or, as in the collection, an invalidated object or the zero value, and marks a running
/// transaction as failed.
///
/// Thread safety: any thread or task may use them. Iteration pins one version until it ends.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
  _LiveCollection, ThreadConfined, CustomStringConvertible
{
  /// A section.
  public typealias Element = ResultsSection<Key, SectionElement>
  /// The index of a section.
  public typealias Index = Int

  /// The sections of the version that was read last, and the elements they are made of.
  struct Found: Sendable {
    let sections: Sectioning<Key>
    let elements: Results<SectionElement>.Found
  }

  private final class Memory: Sendable {
    /// Guards the sections found last.
    let found = Lock(FoundVersion<Found>())
  }

  let results: Results<SectionElement>
  let rule: SectionRule<SectionElement, Key>
  private let memory = Memory()

  init(_ results: Results<SectionElement>, _ rule: SectionRule<SectionElement, Key>) {
    self.results = results
    self.rule = rule
  }

  /// Creates sections that were already computed.
  init(
    frozen results: Results<SectionElement>, _ rule: SectionRule<SectionElement, Key>,
    _ sections: Sectioning<Key>
  ) {
    self.init(results, rule)
    remember(Found(sections: sections, elements: .indexes), results.context.versionStamp)
  }

  /// - Complexity: O(elements), with one evaluation of the key for each, once for each version;
  ///   inside a write after each change.
  var found: Found {
    if results.context.isInvalidated {
      return Found(sections: Sectioning([], order: nil), elements: .indexes)
    }
    let stamp = results.context.versionStamp
    if let found = memory.found.withLock({ $0.find(stamp) }) { return found }
    if results.context.transaction != nil {
      let found = Found(sections: rule.sections(of: results), elements: results.found)
      remember(found, stamp)
      return found
    }
    // The keys and the elements are read from one version.
    let pinned = results.freeze()
    let found = Found(
      sections: rule.sections(of: pinned), elements: results.isFrozen ? .indexes : pinned.found)
    remember(found, pinned.context.versionStamp)
    return found
  }

  private func remember(_ found: Found, _ stamp: VersionStamp) {
    _ = memory.found.withLock { $0.remember(found, stamp) }
  }

  // MARK: Sections

  /// The keys of all sections, in the order of the sections.
  public var allKeys: [Key] { found.sections.keys }
  /// The number of sections.
  public var count: Int { found.sections.keys.count }

  /// Accesses the section at an index.
  public subscript(index: Int) -> ResultsSection<Key, SectionElement> {
    let keys = found.sections.keys
    guard keys.indices.contains(index) else {
      results.noteMissing(at: index, of: keys.count)
      return ResultsSection(self, Key._$default(), isMissing: true)
    }
    return ResultsSection(self, keys[index])
  }

  /// Accesses the element at an index path.
  ///
  /// - Precondition: The index path has two indexes: that of the section, and that of the element
  ///   in the section.
  public subscript(indexPath: IndexPath) -> SectionElement {
    Misuse.require(
      indexPath.count == 2, "An index path has two indexes: of a section and of an element in it.")
    let found = found
    let (section, item) = (indexPath[0], indexPath[1])
    guard found.sections.indexes.indices.contains(section),
      found.sections.indexes[section].indices.contains(item)
    else { return results.missing(at: item, of: found.sections.elementKeys.count) }
    return results.element(at: found.sections.indexes[section][item], of: found.elements)
  }

  /// Returns an iterator over the sections of the version that is read now.
  public func makeIterator() -> IndexingIterator<[ResultsSection<Key, SectionElement>]> {
    found.sections.keys.map { ResultsSection(self, $0) }.makeIterator()
  }

  // MARK: Collection

  /// The realm of the sections.
  public var realm: Realm? { results.realm }
  /// Whether the sections are frozen: pinned to one version.
  public var isFrozen: Bool { results.isFrozen }
  /// Whether the object that the elements belong to was deleted.
  public var isInvalidated: Bool { results.isInvalidated }
  /// Whether another task may change the sections.
  public var _$mayChange: Bool { results._$mayChange }

  /// Returns the sections, frozen at the version that they read now.
  ///
  /// - Parameters:
  ///   - file: The caller's file, recorded for storage reports. Don't pass this argument.
  ///   - line: The caller's line.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> SectionedResults {
    isFrozen ? self : SectionedResults(results.freeze(file: file, line: line), rule)
  }

  /// Returns the live sections; nil when the object that the elements belong to no longer exists.
  public func thaw() -> SectionedResults? {
    isFrozen ? results.thaw().map { SectionedResults($0, rule) } : self
  }

  /// Returns the same sections in another realm of the same store; nil when they do not exist
  /// there.
  public func _$resolved(in realm: Realm) -> SectionedResults? {
    results._$resolved(in: realm).map { SectionedResults($0, rule) }
  }

  /// The keys, each with the number of its elements.
  public var description: String {
    let found = found.sections
    let sections = zip(found.keys, found.indexes).map { "\t\($0): \($1.count)\n" }
    return "SectionedResults<\(Key.self), \(SectionElement.self)> (\n\(sections.joined()))"
  }
}

extension Results {
  /// A reference to the elements of one version.
  enum Found: Sendable {
    /// The results are frozen: their indexes identify the elements.
    case indexes
    case objects([UInt64])
    case values([Value])
  }

  /// A reference to the elements of the version that is read now, which remains valid in later
  /// versions.
  var found: Found {
    handle.query.isOfValues ? .values(handle.values) : .objects(handle.objectIDs)
  }

  /// Returns an element of a version that may no longer be current. An object reads the version
  /// that is read now.
  func element(at index: Int, of found: Found) -> Element {
    switch found {
    case .objects(let ids) where ids.indices.contains(index):
      object(ids[index]) ?? Element._$missing(_ReadSource(context))
    case .values(let values) where values.indices.contains(index): element(values[index])
    // For frozen results, or when a damaged page yields fewer elements than keys.
    default: self[index]
    }
  }
}

extension SectionedResults: Equatable {
  /// Returns whether two values are copies of the same sections. Sections that were created
  /// separately are not equal, even if they contain the same elements.
  public static func == (left: SectionedResults, right: SectionedResults) -> Bool {
    left.memory === right.memory
  }
}
