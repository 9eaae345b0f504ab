extension TextPredicate {
  /// Names that lead from the object, or from a variable, to a compared value.
  package struct Path: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
      case name(String)
      /// A word with `@`, which is part of the word.
      case word(String)
      /// The content of brackets.
      case key(String)
      case index(Int64)
      case first, last, size, each
    }

    package struct Component: Equatable, Sendable {
      package var step: Step
      package var position: Int
    }

    package struct Quantifier: Equatable, Sendable {
      package var kind: Condition.Quantifier
      package var position: Int
    }

    package var quantifier: Quantifier?
    /// The variable at which the path begins, with its `$`. Nil for the object itself.
    package var variable: String?
    package var components: [Component]
    package var position: Int

    /// The path as written, without brackets.
    package var text: String {
      var parts = variable.map { [$0] } ?? []
      for component in components {
        switch component.step {
        case .name(let name), .word(let name): parts.append(name)
        case .key, .index, .first, .last, .size, .each: break
        }
      }
      return parts.isEmpty ? "SELF" : parts.joined(separator: ".")
    }
  }
}
