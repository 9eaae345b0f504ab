import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The parts of a class declaration that the macros use.
///
/// Both macros receive the class: `@Model` completely, and `@Persisted` through the lexical
/// context, which does not contain the members.
struct ModelClass {
  let declaration: ClassDeclSyntax

  init(_ declaration: ClassDeclSyntax) {
    self.declaration = declaration
  }

  /// The name as spelled in the source, with backticks if it needs them.
  var name: String { declaration.name.text }

  /// Whether the class has `@Model`, which generates its slots.
  var isMarked: Bool { declaration.attributes.first(named: "Model") != nil }

  var isIsolated: Bool { declaration.attributes.first(named: "MainActor") != nil }

  var isOpen: Bool { declaration.modifiers.contains { $0.name.tokenKind == .keyword(.open) } }

  var isFinal: Bool { declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) } }

  /// The access modifier of generated members that subclasses in other modules use.
  ///
  /// Empty for the access levels at which a member without a modifier is as visible as its class.
  var access: String {
    for modifier in declaration.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.open), .keyword(.public): return "public "
      case .keyword(.package): return "package "
      default: continue
      }
    }
    return ""
  }

  /// The first inherited type, which is the only position for a superclass.
  ///
  /// - Returns: `nil` when there is no inherited type, or when it is a protocol of the standard
  ///   library.
  var superclass: TypeSyntax? {
    guard let first = declaration.inheritanceClause?.inheritedTypes.first?.type else { return nil }
    let type = first.withoutAttributes
    let candidate = type.as(CompositionTypeSyntax.self)?.elements.first?.type ?? type
    return candidate.lastName.map(Self.knownProtocols.contains) == true ? nil : candidate
  }

  /// Returns whether the inheritance clause contains one of `names`, qualified or not.
  func inherits(from names: Set<String>) -> Bool {
    let inherited = declaration.inheritanceClause?.inheritedTypes.map(\.type) ?? []
    return inherited.flatMap(\.compositionElements).contains { type in
      type.lastName.map(names.contains) == true
    }
  }

  private static let knownProtocols: Set<String> = [
    "AnyObject", "Codable", "CodingKeyRepresentable", "Comparable", "CustomDebugStringConvertible",
    "CustomReflectable", "CustomStringConvertible", "Decodable", "Encodable", "Equatable", "Error",
    "Hashable", "Identifiable", "PersistableEnum", "Sendable",
  ]
}
