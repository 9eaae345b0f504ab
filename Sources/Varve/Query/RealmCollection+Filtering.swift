import Foundation
import VarveCore
import VarveEncoding

extension RealmCollection {
  /// Returns the elements that match a literal predicate.
  ///
  /// ```swift
  /// dogs.filter("age > 5 AND owner.name BEGINSWITH[c] 'r'")
  /// numbers.filter("SELF BETWEEN {1, 5}")
  /// ```
  /// The predicate language is that of `NSPredicate` format strings, with the additions of Realm's
  /// query strings:
  ///
  /// - Comparisons with `=` `!=` `<` `<=` `>` `>=` `BETWEEN` `IN` `BEGINSWITH` `ENDSWITH`
  ///   `CONTAINS` `LIKE` `MATCHES` `TEXT`. Either side is a property, a value or an arithmetic
  ///   expression. `[c]` ignores case and `[d]` ignores diacritics. `AND`, `OR`, `NOT` and
  ///   parentheses combine comparisons.
  /// - Paths over links and collections. `owner.dogs.age > 3` is true when at least one dog
  ///   matches, as with `ANY`; `ALL` and `NONE` require that all or none match.
  ///   `@links.Class.property` refers to the objects that link to the object, `map['key']`,
  ///   `map.@keys` and `list[0]` to parts of a collection.
  /// - `dogs.@count`, `dogs.@sum.age`, `@avg`, `@min` and `@max`, and
  ///   `SUBQUERY(dogs, $d, $d.age > 3).@count`.
  /// - `%@` for the next argument, `$0` for an argument by number, and `%K` for an argument that is
  ///   a property name.
  /// - `SORT(age DESC, name ASC)`, `DISTINCT(name)` and `LIMIT(10)` after the predicate, applied in
  ///   the order in which they are written.
  ///
  /// For a predicate with arguments, use ``filter(_:_:)``, which throws an error when an argument
  /// does not fit.
  ///
  /// - Precondition: The collection is managed, and the predicate is valid for its elements. An
  ///   invalid predicate traps with a message that shows the position of the error. An unknown
  ///   property of a ``DynamicObject``, whose class is read from the file, does not trap: the
  ///   results are empty, and the error marks the running write transaction as failed or, outside a
  ///   write, is logged.
  /// - Returns: The matching elements, in the order of the collection.
  /// - Complexity: O(n), where n is the length of the predicate; nothing is read yet.
  public func filter(_ predicate: StaticString) -> Results<Element> {
    queried.filtered(byLiteral: predicate)
  }

  /// Returns the elements that match a predicate with arguments, or one that is known only at run
  /// time. See ``filter(_:)`` for the predicate language.
  ///
  /// ```swift
  /// try dogs.filter("age > %@ AND owner.name BEGINSWITH[c] %@", 5, "r")
  /// ```
  /// - Parameters:
  ///   - predicate: The predicate, with `%@` and `%K` as placeholders.
  ///   - arguments: The values of the placeholders, in order: values of any type that can be
  ///     stored, objects, nil, and sequences of these.
  /// - Precondition: The collection is managed.
  /// - Returns: The matching elements, in the order of the collection.
  /// - Throws: `Realm.Error` with the class and the property, and the position in the predicate in
  ///   its details: `.unknownProperty`, or `.invalidInput` when the predicate is invalid or does
  ///   not fit the elements.
  @_disfavoredOverload
  public func filter(
    _ predicate: some StringProtocol, _ arguments: Any?...
  ) throws -> Results<Element> {
    try queried.filtered(byText: String(predicate), arguments)
  }

  /// Returns the index of the first element that matches a literal predicate, or nil when no
  /// element matches. See ``filter(_:)`` for the predicate language.
  ///
  /// For an unmanaged collection, the predicate is evaluated on a copy in an in-memory store.
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

  /// Returns the index of the first element that matches a predicate with arguments, or one that is
  /// known only at run time; nil when no element matches. See ``filter(_:_:)``.
  ///
  /// - Throws: `Realm.Error` as ``filter(_:_:)`` does.
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
  /// Returns the index of the first element that matches a predicate known only at run time.
  fileprivate func index(matching predicate: String, _ arguments: [Any?]) throws -> Int? {
    try Realm.Error.translating {
      index(satisfying: try bound(predicate, arguments, isCondition: true).condition)
    }
  }

  /// Returns the elements that match a literal predicate.
  func filtered(byLiteral predicate: StaticString) -> Results {
    do throws(Failure) {
      return try filtered(by: try bound(predicate.description, []))
    } catch {
      return nothing(becauseOfLiteral: error)
    }
  }

  /// Returns empty results for an invalid literal predicate on dynamic objects. Traps when the
  /// program declares the class.
  fileprivate func nothing(becauseOfLiteral failure: Failure) -> Results {
    if let none = refused(failure) { return none }
    Misuse.trap(failure.text)
  }

  /// Returns the elements that match a predicate known only at run time.
  func filtered(byText predicate: String, _ arguments: [Any?]) throws -> Results {
    try Realm.Error.translating { try filtered(by: try bound(predicate, arguments)) }
  }

  /// Applies the condition of a predicate and its suffixes.
  private func filtered(by predicate: BoundPredicateText) throws(Failure) -> Results {
    Results(try handle.query.refined(by: predicate), in: context)
  }

  /// Parses a predicate and binds it to the class of the elements.
  ///
  /// `isCondition`: whether suffixes such as `SORT` are rejected.
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
  /// Converts an argument of any type.
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

  /// Converts a list or a dictionary of values of any type, with its nested collections. Returns
  /// nil when another type is nested in it, or when it is nested more than 100 levels deep.
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
  /// The message with its context, such as class and property.
  fileprivate var text: String { Realm.Error(self).description }
}
