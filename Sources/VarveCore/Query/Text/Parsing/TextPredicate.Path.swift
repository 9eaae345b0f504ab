extension TextPredicate {
  /// Names that lead from the object, or from a variable, to what is compared.
  package struct Path: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
      case name(String)
      /// A word with `@`, which the sign belongs to.
      case word(String)
      /// What stands in brackets.
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
    /// What the path begins at, with its sign; nil for the object itself.
    package var variable: String?
    package var components: [Component]
    package var position: Int

    /// As it is written, but for brackets.
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
