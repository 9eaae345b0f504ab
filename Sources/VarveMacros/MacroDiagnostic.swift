import SwiftDiagnostics
import SwiftSyntax

/// What the macros say about declarations that they cannot expand.
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
}

extension MacroDiagnostic {
  /// What to use instead; the same words stand where the compiler finds the type wanting, at `_$get` and
  /// `_$prop`.
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
      "local class '\(name)' cannot have '@Model'; its '@Persisted' properties work without"
    case .isolatedModel(let name):
      "model class '\(name)' cannot be isolated to an actor; objects may be used from any task"
    case .conditionalModel(let condition):
      "'@Model' must not depend on '#if \(condition)'; "
        + "'@Persisted' cannot see which branch is active"
    case .missingSuperclass(let name):
      "model class '\(name)' must inherit from 'Object' or another model class"
    case .secondPrimaryKey(let first):
      "a class has one primary key; '\(first)' is declared as such already"
    case .persistedNeedsVariable:
      "'@Persisted' can only be applied to a variable with a name of its own"
    case .persistedOutsideClass:
      "'@Persisted' can only be applied to properties in the body of a class that inherits from "
        + "'Object'"
    case .severalVariables:
      "'@Persisted' can only be applied to a declaration of one variable"
    case .separateDeclarations:
      "each '@Persisted' variable needs a declaration of its own"
    case .constant:
      "'@Persisted' properties must be declared with 'var'"
    case .modifier(let modifier):
      "'@Persisted' cannot be applied to a '\(modifier)' property"
    case .overridden:
      "a persisted property cannot override another; it would be stored a second time"
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
      "a persisted collection cannot be optional; use '\(type)', which starts out empty"
    case .missingOriginProperty:
      "'LinkingObjects' needs the property that links here: '@Persisted(originProperty: \"…\")'"
    case .originPropertyElsewhere:
      "'originProperty' can only be given for a property of type 'LinkingObjects'"
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
      "an auto-incremented primary key has no initial value but 0; "
        + "it gets its value when the object is added"
    case .indexNeedsLiterals:
      "an index names its properties in string literals: '[[\"name\", \"age\"]]'"
    case .unknownIndexedProperty(let name, let owner):
      "class '\(owner)' itself declares no persisted property '\(name)'"
    }
  }

  var severity: DiagnosticSeverity {
    if case .separateDeclarations = self { return .note }
    return .error
  }

  var diagnosticID: MessageID {
    let name = String(describing: self).prefix { $0 != "(" }
    return MessageID(domain: "VarveMacros", id: String(name))
  }
}

extension DiagnosticsError {
  /// One message, at `node`.
  init(_ node: some SyntaxProtocol, _ message: MacroDiagnostic, fixIts: [FixIt] = []) {
    self.init(diagnostics: [Diagnostic(node: node, message: message, fixIts: fixIts)])
  }
}
