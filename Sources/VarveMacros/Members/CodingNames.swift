import SwiftSyntax

/// The code that reads the `CodingKeys` of a class.
///
/// The declaration of a class shows neither a conformance in an extension nor `CodingKeys` in one.
/// The code is therefore part of every class, and the compiler finds the keys: `own` is overloaded,
/// and a member that the keys lack is a member of a placeholder instead.
enum CodingNames {
  /// Generates the override that adds the names of the class's own properties; nil for a class
  /// without any.
  static func method(of members: [PersistedMember], in model: ModelClass) -> DeclSyntax? {
    guard !PersistedMember.properties(members, conditional: true).isEmpty else { return nil }
    let access = model.isOpen ? "open " : model.access
    let names = PersistedMember.lines(members) { "  " + adding($0, in: model) }
    return DeclSyntax(
      text: """
        \(access)override class func _$codingNames(_ _$names: inout Varve._CodingNames) {
          super._$codingNames(&_$names)
        \(beginning(in: model).map { "  " + $0 }.joined(separator: "\n"))
        \(names)}
        """)
  }

  /// Generates the function of a property's marker that adds the name of the property.
  static func function(of property: PersistedProperty, in model: ModelClass) -> String {
    let lines = beginning(in: model) + [adding(property, in: model)]
    return "  static func codingName(_ _$names: inout Varve._CodingNames) {\n"
      + lines.map { "    \($0)\n" }.joined() + "  }"
  }

  private static func beginning(in model: ModelClass) -> [String] {
    [
      "let _$keys = Varve._CodingKeysOf(\(model.name).self)",
      "_$names._$begin(\(model.name).self, _$keys.own.CodingKeys.self)",
    ]
  }

  private static func adding(_ property: PersistedProperty, in model: ModelClass) -> String {
    // `self` and `init` without backticks are no members.
    let member =
      ["self", "Type", "Protocol", "init"].contains(property.identifier)
      ? "`\(property.identifier)`" : property.spelling
    return "_$names._$add(\(property.identifier.asStringLiteral), _$keys.own.CodingKeys.\(member))"
  }
}
