public import Foundation
import Synchronization
import VarveCore
import VarveEncoding

/// The elements of a collection in sections: in each those with one key.
///
/// ```swift
/// let byAge = people.sectioned(by: \.age)
/// for section in byAge { print(section.key, section.map(\.name)) }
/// let byLetter = people.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"])
/// ```
///
/// Sections made with `ascending` are in the order of their keys; those made with sort descriptors as their first
/// elements are. They are live or frozen as the collection is, and worked out when they are read, once for each version.
///
/// A place out of bounds traps in frozen ones; in live ones it gives an empty section or, as in the collection, an
/// invalidated object or the zero value, and dooms a running write.
///
/// Thread safety: any thread or task may use them. Walking them pins one version for the walk.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
  _LiveCollection, ThreadConfined, CustomStringConvertible
{
  /// A section.
  public typealias Element = ResultsSection<Key, SectionElement>
  /// The place of a section.
  public typealias Index = Int

  /// The elements in the version that was asked last, by what leads to them.
  struct Found: Sendable {
    let sections: Sectioning<Key>
    let elements: Results<SectionElement>.Found
  }

  private final class Memory: Sendable {
    /// Guards what was found last.
    let found = Mutex(FoundVersion<Found>())
  }

  let results: Results<SectionElement>
  let rule: SectionRule<SectionElement, Key>
  private let memory = Memory()

  init(_ results: Results<SectionElement>, _ rule: SectionRule<SectionElement, Key>) {
    self.results = results
    self.rule = rule
  }

  /// Sections that are known already.
  init(
    frozen results: Results<SectionElement>, _ rule: SectionRule<SectionElement, Key>,
    _ sections: Sectioning<Key>
  ) {
    self.init(results, rule)
    remember(Found(sections: sections, elements: .places), results.context.versionStamp)
  }

  /// - Complexity: O(elements), with one question for the key of each, once in each version; inside a write after
  ///   each change.
  var found: Found {
    if results.context.isInvalidated {
      return Found(sections: Sectioning([], order: nil), elements: .places)
    }
    let stamp = results.context.versionStamp
    if let found = memory.found.withLock({ $0.find(stamp) }) { return found }
    if results.context.transaction != nil {
      let found = Found(sections: rule.sections(of: results), elements: results.found)
      remember(found, stamp)
      return found
    }
    // One version for the keys and the elements.
    let pinned = results.freeze()
    let found = Found(
      sections: rule.sections(of: pinned), elements: results.isFrozen ? .places : pinned.found)
    remember(found, pinned.context.versionStamp)
    return found
  }

  private func remember(_ found: Found, _ stamp: VersionStamp) {
    _ = memory.found.withLock { $0.remember(found, stamp) }
  }

  // MARK: Sections

  /// The keys of all sections, in their order.
  public var allKeys: [Key] { found.sections.keys }
  /// The number of sections.
  public var count: Int { found.sections.keys.count }

  /// The section at a place.
  public subscript(index: Int) -> ResultsSection<Key, SectionElement> {
    let keys = found.sections.keys
    guard keys.indices.contains(index) else {
      results.noteMissing(at: index, of: keys.count)
      return ResultsSection(self, Key._$default(), isMissing: true)
    }
    return ResultsSection(self, keys[index])
  }

  /// The element at a place in a section.
  ///
  /// - Precondition: the index path has two indexes: the section's, and the element's in it.
  public subscript(indexPath: IndexPath) -> SectionElement {
    precondition(
      indexPath.count == 2, "An index path has the places of a section and of an element in it.")
    let found = found
    let (section, item) = (indexPath[0], indexPath[1])
    guard found.sections.places.indices.contains(section),
      found.sections.places[section].indices.contains(item)
    else { return results.missing(at: item, of: found.sections.elementKeys.count) }
    return results.element(at: found.sections.places[section][item], of: found.elements)
  }

  /// Walks the sections of the version that is read now.
  public func makeIterator() -> IndexingIterator<[ResultsSection<Key, SectionElement>]> {
    found.sections.keys.map { ResultsSection(self, $0) }.makeIterator()
  }

  // MARK: As the collection

  /// The realm.
  public var realm: Realm? { results.realm }
  /// Whether the sections are pinned to one version.
  public var isFrozen: Bool { results.isFrozen }
  /// Whether what the elements belong to was deleted.
  public var isInvalidated: Bool { results.isInvalidated }
  /// Whether another task may change what is read.
  public var _$mayChange: Bool { results._$mayChange }

  /// The sections pinned to the version that they read now.
  ///
  /// - Parameters:
  ///   - file: where pins are told of, they are named by it; leave it out.
  ///   - line: the line in the file.
  /// - Returns: the frozen sections.
  public func freeze(
    file: StaticString = #fileID, line: UInt = #line
  ) -> SectionedResults {
    isFrozen ? self : SectionedResults(results.freeze(file: file, line: line), rule)
  }

  /// The live sections; nil when what the elements belong to does not exist any more.
  public func thaw() -> SectionedResults? {
    isFrozen ? results.thaw().map { SectionedResults($0, rule) } : self
  }

  /// The same sections in another realm of the same store; nil when they do not exist there.
  public func _$resolved(in realm: Realm) -> SectionedResults? {
    results._$resolved(in: realm).map { SectionedResults($0, rule) }
  }

  /// The keys with the numbers of their elements.
  public var description: String {
    let found = found.sections
    let sections = zip(found.keys, found.places).map { "\t\($0): \($1.count)\n" }
    return "SectionedResults<\(Key.self), \(SectionElement.self)> (\n\(sections.joined()))"
  }
}

extension Results {
  /// What leads to the elements of one version.
  enum Found: Sendable {
    /// The results are frozen: their places.
    case places
    case objects([UInt64])
    case values([Value])
  }

  /// What leads to the elements now, of a version that may pass.
  var found: Found {
    handle.query.isOfValues ? .values(handle.values) : .objects(handle.objectIDs)
  }

  /// An element of a version that may have passed; of an object the handle in the version that is read now.
  func element(at place: Int, of found: Found) -> Element {
    switch found {
    case .objects(let ids) where ids.indices.contains(place):
      object(ids[place]) ?? Element._$missing(_ReadSource(context))
    case .values(let values) where values.indices.contains(place): element(values[place])
    // Of frozen results, or where a damaged page gave fewer elements than keys.
    default: self[place]
    }
  }
}

extension SectionedResults: Equatable {
  /// Whether two values are copies of one: sections that were asked for twice are not equal, whatever they hold.
  public static func == (left: SectionedResults, right: SectionedResults) -> Bool {
    left.memory === right.memory
  }
}
