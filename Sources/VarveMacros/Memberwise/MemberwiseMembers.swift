import SwiftDiagnostics
import SwiftSyntax

/// The memberwise initializers of a class: its own, and that of the nested structure `New`.
struct MemberwiseMembers {
  let model: ModelClass
  /// The stored properties in order: the parameters, and the properties that are none.
  let all: [MemberwiseParameter]
  let declared: DeclaredMembers
  /// Why the class has no memberwise initializers.
  let obstacle: Obstacle?

  /// Why a class has no memberwise initializer.
  enum Obstacle: Equatable {
    /// The class inherits from another model, whose properties the macro does not see.
    case inheritance
    case conditionalProperty
    case privateProperty(String)
    case nameOfProperty(String)
    /// A call with this parameter alone would be a call of another initializer.
    case parameter(String)
    case noParameter
    case ownInitializer
  }

  init(_ members: [PersistedMember], in model: ModelClass) {
    self.model = model
    let declared = DeclaredMembers(model)
    self.declared = declared
    all = PersistedMember.properties(members, conditional: false)
      .filter { !$0.isInverse && $0.type?.lastName != "LinkingObjects" }
      .map { MemberwiseParameter($0, hasComputedValues: declared.hasComputedValues) }
    obstacle = Self.obstacle(members, all.filter { $0.type != nil }, model)
  }

  private static func obstacle(
    _ members: [PersistedMember], _ parameters: [MemberwiseParameter], _ model: ModelClass
  ) -> Obstacle? {
    guard let superclass = model.superclass,
      superclass.isOfLibrary("Object") || superclass.isOfLibrary("EmbeddedObject")
    else { return .inheritance }
    for case .conditional in members { return .conditionalProperty }
    for parameter in parameters {
      let name = parameter.property.identifier
      if parameter.property.visibility == .private { return .privateProperty(name) }
      if ["self", "Type", "Protocol"].contains(name) { return .nameOfProperty(name) }
    }
    return parameters.isEmpty ? .noParameter : nil
  }

  /// Why the class itself has no memberwise initializer.
  var initializerObstacle: Obstacle? {
    if let obstacle { return obstacle }
    if declared.hasOtherInitializer { return .ownInitializer }
    return parameterOfOther.map(Obstacle.parameter)
  }

  /// The parameter of `init(value:)` or `init(validating:)`, if it is the only one that a call must
  /// have.
  private var parameterOfOther: String? {
    let required = parameters.filter { $0.defaultArgument == nil }.map(\.property.identifier)
    return ["value", "validating"].first { name in
      parameters.contains { $0.property.identifier == name }
        && required.allSatisfy { $0 == name }
    }
  }

  var parameters: [MemberwiseParameter] { all.filter { $0.type != nil } }

  /// The access modifier: that of the class, or of the least visible property.
  var access: String {
    let visibility = parameters.map(\.property.visibility).min() ?? .internal
    switch (model.access, visibility) {
    case ("public ", .public): return "public "
    case ("public ", .package), ("package ", .package), ("package ", .public): return "package "
    default: return ""
    }
  }

  var signature: String {
    parameters.map(\.text).joined(separator: ", ")
  }

  /// Reports the properties that are no parameters because the syntax does not show their types.
  var omissions: [Diagnostic] {
    guard initializerObstacle == nil else { return [] }
    return all.filter { $0.type == nil }.map {
      Diagnostic(
        node: $0.property.name, message: MacroDiagnostic.omittedParameter($0.property.identifier))
    }
  }

  /// The generated members.
  ///
  /// `isAllowed`: whether the class may have memberwise initializers.
  func declarations(isAllowed: Bool) -> [DeclSyntax] {
    (isAllowed ? [initializer, new] : [unavailableNew]).compactMap(\.self)
  }

  // MARK: The initializer of the class

  /// The initializer of the class; nil where there is none.
  var initializer: DeclSyntax? {
    guard initializerObstacle == nil else { return nil }
    let lines = parameters.map { parameter in
      let name = parameter.property.spelling
      let call = "\(parameter.setter)(_$Slot.\(parameter.property.slotCase)._$i, \(name))"
      return parameter.nilMeansDefault ? "if let \(name) { \(call) }" : call
    }
    return DeclSyntax(
      text: """
        @_disfavoredOverload
        \(access)convenience init(\(signature)) {
          self.init()
          \(lines.joined(separator: "\n  "))
        }
        """)
  }
}

extension MemberwiseParameter {
  /// The method of the object that stores the value.
  fileprivate var setter: String {
    switch form {
    case .single: "_$set"
    case .list: "_$setList"
    case .set: "_$setSet"
    case .map: "_$setMap"
    }
  }
}

extension PersistedProperty {
  /// The visibility of a property, ordered.
  enum Visibility: Int, Comparable {
    case `private`, `internal`, package, `public`

    static func < (left: Visibility, right: Visibility) -> Bool { left.rawValue < right.rawValue }
  }

  /// Who may read the property.
  var visibility: Visibility {
    for modifier in declaration.modifiers where modifier.detail == nil {
      switch modifier.name.tokenKind {
      case .keyword(.private), .keyword(.fileprivate): return .private
      case .keyword(.package): return .package
      case .keyword(.public), .keyword(.open): return .public
      default: continue
      }
    }
    return .internal
  }
}
