import Foundation
import VarveCore
import VarveEncoding

extension RealmCollection {
  /// The elements that satisfy a predicate that stands in the program's text.
  ///
  /// ```swift
  /// dogs.filter("age > 5 AND owner.name BEGINSWITH[c] 'r'")
  /// numbers.filter("SELF BETWEEN {1, 5}")
  /// ```
  /// The language is that of `NSPredicate` formats, with what Realm's own query strings add:
  ///
  /// - comparisons with `=` `!=` `<` `<=` `>` `>=` `BETWEEN` `IN` `BEGINSWITH` `ENDSWITH` `CONTAINS` `LIKE` `MATCHES`
  ///   `TEXT`, of properties, values and arithmetic on either side, with `[c]` to ignore case and `[d]` to ignore
  ///   diacritics, joined by `AND`, `OR`, `NOT` and parentheses;
  /// - paths over links and collections: `owner.dogs.age > 3` holds where one dog is older, as with `ANY` before it;
  ///   `ALL` and `NONE` say otherwise; `@links.Class.property` leads to the objects that link here, `map['key']`,
  ///   `map.@keys` and `list[0]` into collections;
  /// - `dogs.@count`, `dogs.@sum.age`, `@avg`, `@min` and `@max`, and `SUBQUERY(dogs, $d, $d.age > 3).@count`;
  /// - `%@` for the next argument, `$0` for one by its number, and `%K` for an argument that is a name;
  /// - `SORT(age DESC, name ASC)`, `DISTINCT(name)` and `LIMIT(10)` behind the predicate, applied as they stand there.
  ///
  /// What arguments stand for is known only when the program runs: ``filter(_:_:)`` throws what is wrong with them.
  ///
  /// - Parameter predicate: the predicate.
  /// - Precondition: the collection is managed; the predicate is one, and fits the elements. What is wrong ends the program
  ///   with a message that shows the place. Names of ``DynamicObject``s, whose class only the file knows, do not: they give
  ///   no results, and doom the write or are logged.
  /// - Returns: the narrowed results, in the order of the collection.
  /// - Complexity: O(characters); nothing is read yet.
  public func filter(_ predicate: StaticString) -> Results<Element> {
    queried.filtered(byLiteral: predicate)
  }

  /// As ``filter(_:)``, with a predicate that has arguments or is known only when the program runs.
  ///
  /// ```swift
  /// try dogs.filter("age > %@ AND owner.name BEGINSWITH[c] %@", 5, "r")
  /// ```
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - arguments: what stands in its places, in their order: values of any type that can be stored, objects, nil, and
  ///     sequences of these.
  /// - Precondition: the collection is managed.
  /// - Returns: the narrowed results.
  /// - Throws: `Realm.Error` naming class and property, with the place in the predicate in its details:
  ///   `.unknownProperty`, or `.invalidInput` for what is no predicate, or does not fit the elements.
  @_disfavoredOverload
  public func filter(
    _ predicate: some StringProtocol, _ arguments: Any?...
  ) throws -> Results<Element> {
    try queried.filtered(byText: String(predicate), arguments)
  }

  /// The place of the first element that satisfies a predicate that stands in the program's text; nil when there is
  /// none. See ``filter(_:)``. Of an unmanaged collection a copy is asked, in a store in memory.
  ///
  /// - Complexity: O(n).
  public func index(matching predicate: StaticString) -> Int? {
    guard let results = _$results else {
      return loggedIndexInManagedCopy { $0.index(matching: predicate) }
    }
    do throws(Failure) {
      return results.index(
        satisfying: try results.bound(predicate.description, [], isCondition: true).condition)
    } catch {
      _ = results.nothing(becauseOfLiteral: error)
      return nil
    }
  }

  /// As ``index(matching:)-(StaticString)``, with a predicate that has arguments or is known only when the program runs.
  ///
  /// - Throws: `Realm.Error`, as ``filter(_:_:)``.
  @_disfavoredOverload
  public func index(
    matching predicate: some StringProtocol, _ arguments: Any?...
  ) throws -> Int? {
    guard let results = _$results else {
      return try indexInManagedCopy { try $0.queried.index(matching: String(predicate), arguments) }
    }
    return try results.index(matching: String(predicate), arguments)
  }
}

extension Results {
  /// The place of the first element that satisfies a predicate that is known only when the program runs.
  fileprivate func index(matching predicate: String, _ arguments: [Any?]) throws -> Int? {
    try Realm.Error.translating {
      index(satisfying: try bound(predicate, arguments, isCondition: true).condition)
    }
  }

  /// The elements that satisfy a predicate that stands in the program's text.
  func filtered(byLiteral predicate: StaticString) -> Results {
    do throws(Failure) {
      return try filtered(by: try bound(predicate.description, []))
    } catch {
      return nothing(becauseOfLiteral: error)
    }
  }

  /// What a predicate in the program's text gives that cannot be asked. What is wrong in every run ends the program.
  fileprivate func nothing(becauseOfLiteral failure: Failure) -> Results {
    if let none = refused(failure) { return none }
    QueryMisuse.trap(failure.text)
  }

  /// The elements that satisfy a predicate that is known only when the program runs.
  func filtered(byText predicate: String, _ arguments: [Any?]) throws -> Results {
    try Realm.Error.translating { try filtered(by: try bound(predicate, arguments)) }
  }

  /// As a predicate says, with what stands behind its condition.
  private func filtered(by predicate: BoundPredicateText) throws(Failure) -> Results {
    var results = narrowed(by: predicate.condition)
    for suffix in predicate.suffixes {
      switch suffix {
      case .sort(let keys): results = try results.sorted(by: keys)
      case .distinct(let paths):
        results = try results.distinct(byNames: paths.map { $0.joined(separator: ".") })
      case .limit(let count):
        results = results.limited(by: ElementQuery.LimitClause(offset: 0, limit: count))
      }
    }
    return results
  }

  /// What a predicate says of the elements.
  ///
  /// `isCondition`: whether nothing may stand behind its condition.
  fileprivate func bound(
    _ text: String, _ arguments: [Any?], isCondition: Bool = false
  ) throws(Failure) -> BoundPredicateText {
    var contents: [TextPredicate.Literal.Content] = []
    for argument in arguments {
      contents.append(try TextPredicate.Literal.Content(argument as Any))
    }
    do throws(TextPredicateError) {
      let model: ClassDescription? =
        if case .object(let model) = handle.query.element { model } else { nil }
      return try BoundPredicateText.read(
        text, contents, on: model, orValues: Element._$elementType.kind, isCondition: isCondition)
    } catch {
      throw error.failure(in: text, className: name)
    }
  }
}

extension TextPredicate.Literal.Content {
  /// An argument of any type.
  ///
  /// - Throws: `.invalidInput` for one of a type that cannot be stored.
  fileprivate init(_ argument: Any, isElement: Bool = false) throws(Failure) {
    let argument = Value.unwrapped(argument)
    if let object = Value.instance(argument) as? ObjectBase {
      self = Self.object(object)
    } else if let text = argument as? any StringProtocol {
      self = .value(.string(String(text)))
    } else if let shape = argument as? any GeoShape {
      self = .region(shape._$region.region)
    } else if let raw = argument as? any PersistableEnum {
      try self.init(raw.rawValue)
    } else if let value = AnyRealmValue(any: argument) {
      self.init(value._$boxed)
    } else if !isElement, !Self.isDictionary(argument), let sequence = argument as? any Sequence {
      var contents: [TextPredicate.Literal.Content] = []
      for element in sequence {
        guard contents.count < PredicateParser.maximumArgumentCount else {
          throw Failure(
            .invalidInput, "An argument of a predicate has too many values.",
            value: "more than \(PredicateParser.maximumArgumentCount)")
        }
        contents.append(try TextPredicate.Literal.Content(element, isElement: true))
      }
      self = .list(contents)
    } else if let contents = Self.contents(argument) {
      self = .contents(contents)
    } else {
      throw Failure(
        .invalidInput, "An argument of a predicate has a type that cannot be compared.",
        value: "\(type(of: argument))")
    }
  }

  private init(_ boxed: _Boxed) {
    switch boxed.content {
    case .value(let value): self = .value(value)
    case .object(let object):
      self = Self.object(object)
    case .collection: self = .contents(boxed.queryContents)
    case .unset: self = .value(.null)
    }
  }

  private static func object(_ object: ObjectBase) -> Self {
    ObjectReference(object.handle).map { .object($0) } ?? .unmanaged(className: object.info.name)
  }

  private static func isDictionary(_ argument: Any) -> Bool {
    argument is [String: Any] || argument is Map<String, AnyRealmValue>
  }

  /// A list or a dictionary of values of any type, and what is nested in them; nil for what has anything else in it, and for
  /// what is nested more than 100 levels deep.
  private static func contents(_ argument: Any, depth: Int = 0) -> ConstantContents? {
    guard depth <= NestedContent.maximumDepth else { return nil }
    let argument = Value.unwrapped(argument)
    if let value = AnyRealmValue(any: argument) { return value._$boxed.queryContents }
    if let map = argument as? Map<String, AnyRealmValue> {
      return AnyRealmValue.dictionary(map)._$boxed.queryContents
    }
    if let dictionary = argument as? [String: Any] {
      var entries: [ConstantContents.Entry] = []
      for (key, part) in dictionary.sorted(by: { $0.key < $1.key }) {
        guard let value = contents(part, depth: depth + 1) else { return nil }
        entries.append(ConstantContents.Entry(key: key, value: value))
      }
      return .dictionary(entries)
    }
    guard let sequence = argument as? any Sequence else { return nil }
    var elements: [ConstantContents] = []
    for part in sequence {
      guard let element = contents(part, depth: depth + 1) else { return nil }
      elements.append(element)
    }
    return .list(elements)
  }
}

extension Failure {
  /// The sentence with all that belongs to it.
  fileprivate var text: String { Realm.Error(self).description }
}
