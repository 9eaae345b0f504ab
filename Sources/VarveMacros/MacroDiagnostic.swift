import SwiftDiagnostics
import SwiftSyntax

/// The diagnostics of the macros for declarations that they cannot expand.
enum MacroDiagnostic {
  case modelNeedsClass
  case localModel(String)
  case isolatedModel(String)
  case conditionalModel(String)
  case missingSuperclass(String)
  case secondPrimaryKey(String)
  case persistedNeedsVariable
  case persistedOutsideClass
  case severalVariables
  case separateDeclarations
  case constant
  case modifier(String)
  case overridden
  case isolatedProperty
  case computed
  case unsupportedType(String, use: String?)
  case unsupportedLiteral
  case optionalCollection(String)
  case missingOriginProperty
  case originPropertyElsewhere
  case autoIncrementNeedsPrimaryKey
  case autoIncrementNeedsInteger(String)
  case optionalAutoIncrement(String)
  case autoIncrementInitialValue
  case indexNeedsLiterals
  case unknownIndexedProperty(String, String)
  case memberwiseNeedsLiteral
  case noMemberwiseInitializer(String, MemberwiseMembers.Obstacle)
  case omittedParameter(String)
}

extension MacroDiagnostic {
  /// The types to use instead. The compiler messages of `_$get` and `_$prop` for unsupported types
  /// contain the same words.
  private static let persistedTypes =
    "use Bool, Int, Int8 to Int64, Float, Double, String, Data, Date, UUID, ObjectId, Decimal128, "
    + "AnyRealmValue, a type that conforms to PersistableEnum or CustomPersistable, an optional of one of "
    + "these or of an Object class, List, MutableSet, Map or LinkingObjects"
}

extension MacroDiagnostic: DiagnosticMessage {
  var message: String {
    switch self {
    case .modelNeedsClass:
      "'@Model' can only be applied to a class that inherits from 'Object'"
    case .localModel(let name):
      "local class '\(name)' cannot have '@Model'; its '@Persisted' properties work without it"
    case .isolatedModel(let name):
      "model class '\(name)' cannot be isolated to an actor; objects may be used from any task"
    case .conditionalModel(let condition):
      "'@Model' must not depend on '#if \(condition)'; "
        + "'@Persisted' cannot see which branch is active"
    case .missingSuperclass(let name):
      "model class '\(name)' must inherit from 'Object' or another model class"
    case .secondPrimaryKey(let first):
      "a class can have only one primary key; '\(first)' is already declared as the primary key"
    case .persistedNeedsVariable:
      "'@Persisted' can only be applied to a variable with a name"
    case .persistedOutsideClass:
      "'@Persisted' can only be applied to properties in the body of a class that inherits from "
        + "'Object'"
    case .severalVariables:
      "'@Persisted' can only be applied to a declaration of a single variable"
    case .separateDeclarations:
      "each '@Persisted' variable needs a separate declaration"
    case .constant:
      "'@Persisted' properties must be declared with 'var'"
    case .modifier(let modifier):
      "'@Persisted' cannot be applied to a '\(modifier)' property"
    case .overridden:
      "a persisted property cannot override another; it would be stored twice"
    case .isolatedProperty:
      "'@Persisted' properties cannot be isolated to an actor; objects may be used from any task"
    case .computed:
      "'@Persisted' cannot be applied to a computed property"
    case .unsupportedType(let type, use: let replacement?):
      "'\(type)' cannot be persisted; use '\(replacement)'"
    case .unsupportedType(let type, use: nil):
      "'\(type)' cannot be persisted; \(MacroDiagnostic.persistedTypes)"
    case .unsupportedLiteral:
      "arrays and dictionaries cannot be persisted; declare the type as 'List' or 'Map'"
    case .optionalCollection(let type):
      "a persisted collection cannot be optional; use '\(type)', which is initially empty"
    case .missingOriginProperty:
      "'LinkingObjects' needs the name of the linking property: "
        + "'@Persisted(originProperty: \"…\")'"
    case .originPropertyElsewhere:
      "'originProperty' can only be used with a property of type 'LinkingObjects'"
    case .autoIncrementNeedsPrimaryKey:
      "only a primary key can be auto-incremented: "
        + "'@Persisted(primaryKey: true, autoIncrement: true)'"
    case .autoIncrementNeedsInteger(let type):
      "a property of type '\(type)' cannot be auto-incremented; "
        + "use Int, Int8, Int16, Int32 or Int64"
    case .optionalAutoIncrement(let type):
      "an auto-incremented primary key cannot be of the optional type '\(type)'; "
        + "it is 0 until the object is added"
    case .autoIncrementInitialValue:
      "the initial value of an auto-incremented primary key must be 0; "
        + "the key is assigned when the object is added"
    case .indexNeedsLiterals:
      "the properties of an index must be string literals: '[[\"name\", \"age\"]]'"
    case .unknownIndexedProperty(let name, let owner):
      "class '\(owner)' does not itself declare a persisted property '\(name)'"
    case .memberwiseNeedsLiteral:
      "'memberwise' must be 'true' or 'false'"
    case .noMemberwiseInitializer(let name, let obstacle):
      "class '\(name)' cannot have a memberwise initializer: \(obstacle.reason)"
    case .omittedParameter(let name):
      "the memberwise initializer has no parameter '\(name)', because the declaration does not state "
        + "its type; state it: 'var \(name): Type = …'"
    }
  }

  var severity: DiagnosticSeverity {
    switch self {
    case .separateDeclarations: .note
    // No warning: the program may never call the initializer.
    case .omittedParameter: .remark
    default: .error
    }
  }

  var diagnosticID: MessageID {
    let name = String(describing: self).prefix { $0 != "(" }
    return MessageID(domain: "VarveMacros", id: String(name))
  }
}

extension MemberwiseMembers.Obstacle {
  fileprivate var reason: String {
    switch self {
    case .inheritance: "it does not inherit directly from 'Object' or 'EmbeddedObject'"
    case .conditionalProperty: "a persisted property is inside '#if'"
    case .privateProperty(let name): "property '\(name)' is private"
    case .nameOfProperty(let name): "'\(name)' cannot be the name of a parameter"
    case .parameter(let name): "with only '\(name)', a call would be one of 'init(\(name):)'"
    case .noParameter: "there is no persisted property with a known type"
    case .ownInitializer: "it declares an initializer"
    }
  }
}

extension DiagnosticsError {
  /// Creates an error with a single diagnostic at `node`.
  init(_ node: some SyntaxProtocol, _ message: MacroDiagnostic, fixIts: [FixIt] = []) {
    self.init(diagnostics: [Diagnostic(node: node, message: message, fixIts: fixIts)])
  }
}
