import SwiftSyntax
import SwiftSyntaxBuilder

/// The members for `Codable`, which the compiler cannot synthesize for computed properties.
enum CodableMembers {
  /// Generates `init(from:)` and `encode(to:)` when the class declares the conformance without
  /// implementing it.
  static func declarations(in model: ModelClass) -> [DeclSyntax] {
    let members = model.declaration.memberBlock.members.flattened
    let keys =
      members.lazy.compactMap { $0.as(EnumDeclSyntax.self) }
      .first { $0.name.text == "CodingKeys" }
      .map { ", keys: " + dictionary(of: $0) } ?? ""
    var result: [DeclSyntax] = []
    if model.inherits(from: ["Codable", "Decodable"]), !members.contains(where: \.isDecoder) {
      result.append(
        """
        \(raw: model.access)required convenience init(from decoder: any Swift.Decoder) throws {
        self.init()
        try _$decode(from: decoder\(raw: keys))
        }
        """)
    }
    if model.inherits(from: ["Codable", "Encodable"]), !members.contains(where: \.isEncoder) {
      let access = model.isOpen ? "open " : model.access
      result.append(
        """
        \(raw: access)func encode(to encoder: any Swift.Encoder) throws {
        try _$encode(to: encoder\(raw: keys))
        }
        """)
    }
    return result
  }

  /// Returns the coding keys of the properties that the class's own `CodingKeys` list.
  private static func dictionary(of keys: EnumDeclSyntax) -> String {
    let names = keys.memberBlock.members.flattened
      .compactMap { $0.as(EnumCaseDeclSyntax.self) }
      .flatMap(\.elements)
      .map(\.name)
    guard !names.isEmpty else { return "[:]" }
    let entries = names.map { name in
      "\(name.identifierText.asStringLiteral): CodingKeys.\(name.text).stringValue"
    }
    return "[" + entries.joined(separator: ", ") + "]"
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
