import VarveEncoding

/// A path of names from an object or a value, independent of a file.
///
/// A path has one value, or any number of values if it contains collections or backlinks.
package struct QueryPath: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    /// A property of an object, by its declared name. A property that is a collection yields the
    /// whole collection, and ``elements`` yields its contents.
    case property(String)
    /// The objects of a class that link to the object through one of their properties.
    case links(className: String, property: String)
    /// The value of a dictionary key, or null if the key does not exist.
    case key(String)
    /// The element at a position of a list, or null if the position is out of bounds.
    case element(Position)
    /// Each element of a list or set, or each value of a dictionary.
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

  /// The maximum number of steps of a path.
  package static let maximumCount = 100

  package var steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }

  /// A path of to-one links and properties. Empty for the object or the value itself.
  package init(_ names: [String]) { steps = names.map { .property($0) } }

  /// The object or the value itself.
  package static let itself = QueryPath([Step]())

  /// The names of a path that consists only of properties, or nil for another path.
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
  /// The path in the predicate language.
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
