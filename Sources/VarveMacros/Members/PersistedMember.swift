import SwiftSyntax

/// The persisted properties of a class in order, with the `#if` blocks around them.
enum PersistedMember {
  case property(PersistedProperty)
  case conditional([Clause])

  /// One branch of an `#if`.
  struct Clause {
    /// The directive: `#if DEBUG`, `#elseif os(Linux)` or `#else`.
    let head: String
    let members: [PersistedMember]
  }

  /// Collects the persisted properties of `members`.
  ///
  /// Properties that cannot be persisted are skipped. Their own attribute reports them.
  static func all(in members: MemberBlockItemListSyntax) -> [PersistedMember] {
    members.compactMap { member in
      if let condition = member.decl.as(IfConfigDeclSyntax.self) {
        return conditional(condition) { elements in
          guard case .decls(let list)? = elements else { return [] }
          return all(in: list)
        }
      }
      return member.decl.as(VariableDeclSyntax.self).flatMap(single)
    }
  }

  private static func single(_ variable: VariableDeclSyntax) -> PersistedMember? {
    if let attribute = variable.attributes.first(named: "Persisted") {
      return (try? PersistedProperty(checking: variable, attribute: attribute)).map(Self.property)
    }
    // `#if X @Persisted #endif var a: Int`
    for case .ifConfigDecl(let condition) in variable.attributes {
      let result = conditional(condition) { elements in
        guard case .attributes(let list)? = elements,
          let attribute = list.first(named: "Persisted"),
          let property = try? PersistedProperty(checking: variable, attribute: attribute)
        else { return [] }
        return [.property(property)]
      }
      if let result { return result }
    }
    return nil
  }

  private static func conditional(
    _ declaration: IfConfigDeclSyntax,
    _ read: (IfConfigClauseSyntax.Elements?) -> [PersistedMember]
  ) -> PersistedMember? {
    let clauses = declaration.clauses.map { clause in
      let condition = clause.condition.map { " " + $0.trimmedDescription } ?? ""
      return Clause(head: clause.poundKeyword.text + condition, members: read(clause.elements))
    }
    return clauses.allSatisfy(\.members.isEmpty) ? nil : .conditional(clauses)
  }

  /// Generates one line for each property, in the same `#if` blocks.
  static func lines(_ members: [PersistedMember], _ line: (PersistedProperty) -> String) -> String {
    var result = ""
    for member in members {
      switch member {
      case .property(let property):
        result += line(property) + "\n"
      case .conditional(let clauses):
        for clause in clauses { result += clause.head + "\n" + lines(clause.members, line) }
        result += "#endif\n"
      }
    }
    return result
  }

  /// Returns the properties outside of every `#if` and, with `conditional`, also those within.
  static func properties(
    _ members: [PersistedMember], conditional: Bool
  ) -> [PersistedProperty] {
    members.flatMap { member -> [PersistedProperty] in
      switch member {
      case .property(let property): [property]
      case .conditional(let clauses):
        conditional ? clauses.flatMap { properties($0.members, conditional: true) } : []
      }
    }
  }
}
