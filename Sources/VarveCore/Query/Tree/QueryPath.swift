import VarveEncoding

/// The way from an object, or from a value, to what a condition asks for, by names; it knows nothing of a file.
///
/// A path leads to one value, or, over collections and backlinks, to any number of them.
///
/// Thread safety: a value.
package struct QueryPath: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    /// A property of an object. A collection is as a whole what it leads to; ``elements`` goes on to what it holds.
    case property(String)
    /// The objects of a class that link to the object through one of their properties.
    case links(className: String, property: String)
    /// The value of a key of a dictionary; null where there is no such key.
    case key(String)
    /// The element at a position of a list; null where there is none.
    case element(Position)
    /// Each element of a list or a set, each value of a dictionary.
    case elements
    /// Each key of a dictionary.
    case keys
    /// The name of the type of a value.
    case type
  }

  package enum Position: Sendable, Hashable {
    case index(Int)
    case first, last
  }

  /// How many steps a path may have.
  package static let maximumCount = 100

  package var steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }

  /// A path over to-one links; none for the object or the value itself.
  package init(_ names: [String]) { steps = names.map { .property($0) } }

  /// The object or the value itself.
  package static let itself = QueryPath([Step]())

  /// The names that a path over to-one links consists of; nil for another one.
  package var names: [String]? {
    var names: [String] = []
    for step in steps {
      guard case .property(let name) = step else { return nil }
      names.append(name)
    }
    return names
  }

  /// Whether the path may lead to more than one value.
  package var isMany: Bool {
    steps.contains { step in
      switch step {
      case .links, .elements, .keys: true
      case .property, .key, .element, .type: false
      }
    }
  }

  package func appending(_ step: Step) -> QueryPath { QueryPath(steps + [step]) }

  package func appending(_ path: QueryPath) -> QueryPath { QueryPath(steps + path.steps) }
}

extension QueryPath: CustomStringConvertible {
  /// The path in the words of the predicate language.
  package var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .property(let name):
        text +=
          text.isEmpty ? name.escapedName(isFirst: true) : ".\(name.escapedName(isFirst: false))"
      case .links(let className, let property):
        let names = [className, property].map { $0.escapedName(isFirst: false) }
        text += (text.isEmpty ? "" : ".") + "@links.\(names[0]).\(names[1])"
      case .key(let key): text += (text.isEmpty ? "SELF" : "") + "[\(Value.string(key).literal)]"
      case .element(let position): text += (text.isEmpty ? "SELF" : "") + "[\(position.text)]"
      case .elements: text += text.isEmpty ? "SELF[*]" : "[*]"
      case .keys: text += (text.isEmpty ? "SELF" : "") + ".@keys"
      case .type: text += (text.isEmpty ? "SELF" : "") + ".@type"
      }
    }
    return text.isEmpty ? "SELF" : text
  }
}

extension QueryPath.Position {
  fileprivate var text: String {
    switch self {
    case .index(let index): "\(index)"
    case .first: "FIRST"
    case .last: "LAST"
    }
  }
}
