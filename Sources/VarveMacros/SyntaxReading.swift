import SwiftSyntax

extension AttributeListSyntax {
  /// Returns the attribute with the name `name`, with or without a module name.
  ///
  /// A module that re-exports Varve can also qualify the macros.
  func first(named name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }
      .first { $0.attributeName.lastName == name }
  }

  /// Returns the condition of the `#if` that contains the attribute with the name `name`, or nil
  /// when no `#if` contains it.
  func condition(around name: String) -> String? {
    for case .ifConfigDecl(let condition) in self {
      for clause in condition.clauses {
        guard case .attributes(let list)? = clause.elements, list.first(named: name) != nil else {
          continue
        }
        return clause.condition?.trimmedDescription ?? clause.poundKeyword.text
      }
    }
    return nil
  }

  /// Whether a use of the declaration causes a warning.
  var isDeprecated: Bool {
    contains { element in
      guard let attribute = element.as(AttributeSyntax.self),
        attribute.attributeName.lastName == "available"
      else { return false }
      return attribute.tokens(viewMode: .sourceAccurate)
        .contains { ["deprecated", "obsoleted"].contains($0.text) }
    }
  }
}

extension TypeSyntax {
  /// The last component of the name: `Dog` for `Dog`, `Models.Dog` and `Dog<Int>`.
  var lastName: String? {
    self.as(IdentifierTypeSyntax.self)?.name.identifierText
      ?? self.as(MemberTypeSyntax.self)?.name.identifierText
      ?? self.as(AttributedTypeSyntax.self)?.baseType.lastName
  }

  /// Whether this is the name of a type of the library: unqualified, or with the name of the module.
  func isOfLibrary(_ name: String) -> Bool {
    guard lastName == name else { return false }
    let base = withoutAttributes.as(MemberTypeSyntax.self)?.baseType
    return base == nil || base?.trimmedDescription == "Varve"
  }

  var genericArguments: [TypeSyntax] {
    let clause =
      self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    return clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) } ?? []
  }

  /// The wrapped type: `Int` for `Int?`, `Int!` and `Optional<Int>`; nil for a type that is not an
  /// optional.
  var wrappedType: TypeSyntax? {
    self.as(OptionalTypeSyntax.self)?.wrappedType
      ?? self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
      ?? (lastName == "Optional" ? genericArguments.first : nil)
  }

  /// The type without attributes: `P` for `@unchecked P`.
  var withoutAttributes: TypeSyntax {
    self.as(AttributedTypeSyntax.self)?.baseType ?? self
  }

  /// The elements of a composition: `A` and `B` for `A & B`; otherwise the type itself.
  var compositionElements: [TypeSyntax] {
    withoutAttributes.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [self]
  }
}

extension TokenSyntax {
  /// The name without backticks.
  var identifierText: String {
    let text = text
    return text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`")
      ? String(text.dropFirst().dropLast()) : text
  }
}

extension String {
  /// Whether the name needs no backticks when it has a prefix.
  var isPlainIdentifier: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        scalar == "_" || scalar.properties.isXIDContinue
          // Swift treats emoji and other symbols as letters, but never ASCII symbols.
          || (!scalar.isASCII && !scalar.properties.isWhitespace
            && !scalar.properties.isPatternSyntax)
      }
  }

  /// The string as a Swift string literal.
  var asStringLiteral: String {
    let escaped = map { character in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      default: String(character)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
