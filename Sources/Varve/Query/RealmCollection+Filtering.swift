import Foundation
import VarveCore
import VarveEncoding

extension RealmCollection {
  /// The elements that satisfy a predicate that stands in the program's text.
  ///
  /// ```swift
  /// dogs.filter("age > %@ AND owner.name BEGINSWITH[c] %@", 5, "r")
  /// numbers.filter("SELF BETWEEN {1, 5}")
  /// ```
  /// A predicate compares properties with values: `=` `!=` `<` `<=` `>` `>=` `BEGINSWITH` `ENDSWITH` `CONTAINS` `IN`
  /// `BETWEEN`, with `[c]` to ignore case, joined by `AND`, `OR`, `NOT` and parentheses. Names may lead over to-one
  /// links. `%@` stands for an argument and `%K` for a name that is one. Collections on the way, aggregates and
  /// arithmetic are not known yet.
  ///
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - arguments: what stands in its places, in their order: values of any type that can be stored, objects, nil, and
  ///     sequences of these.
  /// - Precondition: the collection is managed; the predicate is one, and fits the elements. What is wrong in every run
  ///   ends the program with a message that shows the place. What depends on data does not: an argument that cannot be
  ///   compared with its property, and names of ``DynamicObject``s, whose class only the file knows, give no results, and
  ///   doom the write or are logged.
  /// - Returns: the narrowed results, in the order of the collection.
  /// - Complexity: O(characters); nothing is read yet.
  public func filter(_ predicate: StaticString, _ arguments: Any?...) -> Results<Element> {
    queried.filtered(byLiteral: predicate, arguments)
  }

  /// As ``filter(_:_:)-(StaticString,_)``, with a predicate that is known only when the program runs.
  ///
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - arguments: what stands in its places.
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
  /// none. See ``filter(_:_:)-(StaticString,_)``.
  ///
  /// - Complexity: O(n).
  public func index(matching predicate: StaticString, _ arguments: Any?...) -> Int? {
    let results = queried
    do throws(PredicateFault) {
      return results.index(satisfying: try results.condition(predicate.description, arguments))
    } catch {
      _ = results.nothing(because: error)
      return nil
    }
  }

  /// As ``index(matching:_:)-(StaticString,_)``, with a predicate that is known only when the program runs.
  ///
  /// - Throws: `Realm.Error`, as ``filter(_:_:)-(StringProtocol,_)``.
  @_disfavoredOverload
  public func index(
    matching predicate: some StringProtocol, _ arguments: Any?...
  ) throws -> Int? {
    let results = queried
    return results.index(satisfying: try results.checkedCondition(String(predicate), arguments))
  }
}

extension Results {
  /// The elements that satisfy a predicate that stands in the program's text.
  func filtered(byLiteral predicate: StaticString, _ arguments: [Any?]) -> Results {
    do throws(PredicateFault) {
      return narrowed(by: try condition(predicate.description, arguments))
    } catch {
      return nothing(because: error)
    }
  }

  /// What a predicate in the program's text gives that cannot be asked: nothing, where that depends on data. What is
  /// wrong in every run ends the program.
  fileprivate func nothing(because fault: PredicateFault) -> Results {
    if fault.dependsOnData { return nothing(because: fault.failure) }
    if let none = refused(fault.failure) { return none }
    QueryMisuse.trap(fault.failure.text)
  }

  /// The elements that satisfy a predicate that is known only when the program runs.
  func filtered(byText predicate: String, _ arguments: [Any?]) throws -> Results {
    narrowed(by: try checkedCondition(predicate, arguments))
  }

  fileprivate func checkedCondition(_ text: String, _ arguments: [Any?]) throws -> Condition {
    do throws(PredicateFault) {
      return try condition(text, arguments)
    } catch {
      throw Realm.Error(error.failure)
    }
  }

  fileprivate func condition(
    _ text: String, _ arguments: [Any?]
  ) throws(PredicateFault) -> Condition {
    var contents: [TextPredicate.Literal.Content] = []
    do throws(Failure) {
      for argument in arguments {
        contents.append(try TextPredicate.Literal.Content(argument as Any))
      }
    } catch {
      throw PredicateFault(failure: error, dependsOnData: true)
    }
    let predicate: TextPredicate
    do throws(TextPredicateError) {
      predicate = try PredicateParser.parse(text, contents)
    } catch {
      throw PredicateFault(
        failure: error.failure(in: text, className: name), dependsOnData: error.isOfArgument)
    }
    do throws(TextPredicateError) {
      switch content {
      case .objects(let cell): return try predicate.condition(on: cell.query.model)
      case .values: return try predicate.condition(onValues: Element._$elementType.kind)
      }
    } catch {
      // The predicate is one: what is wrong at the sign of an argument is the argument.
      let place = text.index(text.startIndex, offsetBy: error.position, limitedBy: text.endIndex)
      throw PredicateFault(
        failure: error.failure(in: text, className: name),
        dependsOnData: place.map { text[$0...].first == "%" } ?? false)
    }
  }
}

/// Why a predicate cannot be asked.
private struct PredicateFault: Error {
  let failure: Failure
  /// Whether other arguments would do.
  let dependsOnData: Bool
}

extension TextPredicate.Literal.Content {
  /// An argument of any type.
  ///
  /// - Throws: `.invalidInput` for one of a type that cannot be stored.
  fileprivate init(_ argument: Any) throws(Failure) {
    let argument = Value.unwrapped(argument)
    if let object = Value.instance(argument) as? ObjectBase {
      self = ObjectReference(object.cell).map { .object($0) } ?? .value(ObjectReference.nowhere)
    } else if let value = AnyRealmValue(any: argument)?._$boxed.value {
      self.init(value)
    } else if let sequence = argument as? any Sequence {
      var contents: [TextPredicate.Literal.Content] = []
      for element in sequence { contents.append(try TextPredicate.Literal.Content(element)) }
      self = .list(contents)
    } else {
      throw Failure(
        .invalidInput, "An argument of a predicate has a type that cannot be compared.",
        value: "\(type(of: argument))")
    }
  }

  private init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .double(let value): .double(value)
      case .string(let value): .string(value)
      default: .value(value)
      }
  }
}

extension Failure {
  /// The sentence with all that belongs to it.
  fileprivate var text: String { Realm.Error(self).description }
}
