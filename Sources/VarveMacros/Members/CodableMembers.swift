import SwiftSyntax

/// The members for `Codable` that subclasses can override.
///
/// The library implements both requirements in extensions of the protocols, which serve a
/// conformance that is declared anywhere. A class that may have subclasses gets members of its own
/// where its declaration shows the conformance: only these can be overridden.
enum CodableMembers {
  /// Generates `init(from:)` and `encode(to:)` when the class declares the conformance without
  /// implementing it.
  static func declarations(in model: ModelClass) -> [DeclSyntax] {
    guard !model.isFinal else { return [] }
    let members = model.declaration.memberBlock.members.flattened
    var result: [DeclSyntax] = []
    if model.inherits(from: ["Codable", "Decodable"]), !members.contains(where: \.isDecoder) {
      result.append(
        DeclSyntax(
          text: """
            \(model.access)nonisolated required convenience init(from decoder: any Swift.Decoder) throws {
              self.init()
              try _$decode(from: decoder)
            }
            """))
    }
    if model.inherits(from: ["Codable", "Encodable"]), !members.contains(where: \.isEncoder) {
      let access = model.isOpen ? "open " : model.access
      result.append(
        DeclSyntax(
          text: """
            \(access)nonisolated func encode(to encoder: any Swift.Encoder) throws {
              try _$encode(to: encoder)
            }
            """))
    }
    return result
  }
}

extension MemberBlockItemListSyntax {
  /// The declarations, including those in `#if`.
  var flattened: [DeclSyntax] {
    flatMap { member -> [DeclSyntax] in
      guard let condition = member.decl.as(IfConfigDeclSyntax.self) else { return [member.decl] }
      return condition.clauses.flatMap { clause -> [DeclSyntax] in
        guard case .decls(let list)? = clause.elements else { return [] }
        return list.flattened
      }
    }
  }
}

extension DeclSyntax {
  fileprivate var isDecoder: Bool {
    self.as(InitializerDeclSyntax.self)?.signature.parameterClause.hasOnlyLabel("from") == true
  }

  fileprivate var isEncoder: Bool {
    guard let function = self.as(FunctionDeclSyntax.self) else { return false }
    return function.name.text == "encode" && function.signature.parameterClause.hasOnlyLabel("to")
  }
}

extension FunctionParameterClauseSyntax {
  fileprivate func hasOnlyLabel(_ label: String) -> Bool {
    parameters.count == 1 && parameters.first?.firstName.text == label
  }
}
