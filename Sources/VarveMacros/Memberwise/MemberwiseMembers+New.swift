import SwiftSyntax

/// The nested structure `New`, whose values ``Realm/insert(_:update:)`` writes without an object.
extension MemberwiseMembers {
  /// Whether the class has a structure `New`, whose values are written without running an
  /// initializer of the class.
  private var hasNew: Bool {
    obstacle == nil && model.superclass?.isOfLibrary("Object") == true && !declared.hasInit
      && !declared.hasNew && !isNameTaken
      && !all.contains { $0.property.type?.mentionsNew == true }
      && !initialValues.contains { $0.mentionsNew }
  }

  /// The initial values in the class, in which a name refers to a member of the class first.
  private var initialValues: [ExprSyntax] {
    model.declaration.memberBlock.members.flattened
      .compactMap { $0.as(VariableDeclSyntax.self) }
      .flatMap { $0.bindings.compactMap(\.initializer?.value) }
  }

  /// Whether the class itself or a type parameter is called `New`.
  private var isNameTaken: Bool {
    model.name == "New" || model.declaration.genericParameterClause?.mentionsNew == true
  }

  /// The structure; nil where there is none.
  var new: DeclSyntax? {
    guard hasNew else { return unavailableNew }
    let fields = parameters.map { "  \(access)var \($0.property.spelling): \($0.type ?? "")" }
    let assignments = parameters.map {
      "    self.\($0.property.spelling) = \($0.property.spelling)"
    }
    return DeclSyntax(
      text: """
        \(access)nonisolated struct New: Varve.ModelValues {
          \(access)typealias _$Model = \(model.name)
        \(fields.joined(separator: "\n"))
          \(access)init(\(signature)) {
        \(assignments.joined(separator: "\n"))
          }
          \(access)static var _$count: Swift.Int { \(all.count) }
          \(access)func _$store(in _$row: inout Varve._NewRow) {
            \(storing.joined(separator: "\n    "))
          }
        }
        """)
  }

  /// The declaration that hides the structure of a superclass, which writes objects of the
  /// superclass; nil for a class that inherits from no model, and for one that uses the name.
  var unavailableNew: DeclSyntax? {
    guard obstacle == .inheritance, !isNameTaken, !model.declaration.memberBlock.mentionsNew else {
      return nil
    }
    return DeclSyntax(
      text: """
        @available(*, unavailable, message: "a model class that inherits from another has no 'New'")
        \(model.access)typealias New = Swift.Never
        """)
  }

  /// The statements that pass the values to a row: first those whose evaluation may run code of the
  /// program, then the primary key, then all in order.
  private var storing: [String] {
    let early = all.compactMap { parameter in
      parameter.valueBeforeRow.map { "let \(parameter.nameBeforeRow) = \($0)" }
    }
    let key = all.first { $0.property.isPrimaryKey }
    let begin = key.map { "_$row._$begin(\($0.slot), \($0.storedValue))" } ?? "_$row._$begin()"
    return early + [begin] + all.map { "_$row.\($0.putting)(\($0.slot), \($0.storedValue))" }
  }
}

extension MemberwiseParameter {
  fileprivate var slot: String { "_$Slot.\(property.slotCase)._$i" }

  /// The method of the row that takes the value.
  fileprivate var putting: String {
    if valueBeforeRow != nil { return "_$put" }
    switch form {
    case .single: return "_$put"
    case .list: return "_$putList"
    case .set: return "_$putSet"
    case .map: return "_$putMap"
    }
  }

  fileprivate var nameBeforeRow: String { property.prefixed("_$v_") }

  fileprivate var storedValue: String {
    valueBeforeRow != nil ? nameBeforeRow : "self.\(property.spelling)"
  }

  /// The value that is evaluated before the row is begun; nil for one that runs no code of the
  /// program.
  fileprivate var valueBeforeRow: String? {
    let name = "self.\(property.spelling)"
    if type == nil { return "_$row._$default(\(slot))" }
    if nilMeansDefault {
      let value =
        switch form {
        case .single: "Varve._$boxed"
        case .list: "Varve._$boxedList"
        case .set: "Varve._$boxedSet"
        case .map: "Varve._$boxedMap"
        }
      return "\(name).map { \(value)($0) } ?? _$row._$default(\(slot))"
    }
    return form == .single && !isBuiltIn ? "Varve._$boxed(\(name))" : nil
  }
}

extension SyntaxProtocol {
  /// Whether the name `New` occurs other than as a member of something else. It would refer to the
  /// generated structure.
  fileprivate var mentionsNew: Bool {
    tokens(viewMode: .sourceAccurate).contains { token in
      token.identifierText == "New"
        && token.previousToken(viewMode: .sourceAccurate)?.tokenKind != .period
    }
  }
}
