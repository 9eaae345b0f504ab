import Foundation
import VarveCore
import VarveEncoding
import VarveJSONLines

/// The classes of a store as Swift declarations, which compile with `import Varve`.
///
/// Linking objects, enumerations and default values of new objects are not stored: enumerations are
/// declared as their raw values.
struct SwiftSchema {
  private let file: FileSchema

  /// The names that the declarations use.
  private static let usedNames: Set = [
    "AnyRealmValue", "Bool", "Data", "Date", "Decimal128", "Double", "EmbeddedObject", "Float",
    "Int", "Int16", "Int32", "Int8", "List", "Map", "Model", "MutableSet", "Object", "ObjectId",
    "Persisted", "String", "UUID",
  ]

  /// - Throws: ``ToolError`` for a name that cannot be declared: one with a backtick, a backslash
  ///   or a control character, and a class with the name of a type of a property.
  init(_ file: FileSchema) throws(ToolError) {
    self.file = file
    for schema in file.classes {
      let names = [schema.name] + schema.properties.map(\.name)
      let isUsed = Self.usedNames.contains(schema.name)
      guard !isUsed, names.allSatisfy(\.isDeclarable) else {
        throw ToolError(
          "A class cannot be declared in Swift because of its name or that of a property.\n"
            + "  \(schema.name.printable)")
      }
    }
  }

  /// Returns the lines of a source file.
  func lines() -> [String] {
    var lines = ["import Foundation", "import Varve"]
    for schema in file.classesByName { lines += [""] + declaration(of: schema) }
    return lines
  }

  private func declaration(of schema: ClassSchema) -> [String] {
    let base = schema.record.isEmbedded ? "EmbeddedObject" : "Object"
    let model =
      "@Model\(Self.arguments(of: schema)) final class \(schema.name.asIdentifier): \(base)"
    let properties = schema.properties.map { "  " + declaration(of: $0, schema) }
    return ["\(model) {"] + properties + ["}"]
  }

  /// The compound indexes, as arguments of `@Model`.
  private static func arguments(of schema: ClassSchema) -> String {
    let indexes = [("indexes", IndexKind.ordered), ("unique", .unique)].compactMap {
      (label, kind) -> String? in
      let lists = schema.indexes.map(\.description)
        .filter { $0.kind == kind && !($0.kind == .unique && $0.propertyNames.count == 1) }
        .map { "[\($0.propertyNames.map(\.asLiteral).joined(separator: ", "))]" }
      return lists.isEmpty ? nil : "\(label): [\(lists.joined(separator: ", "))]"
    }
    return indexes.isEmpty ? "" : "(\(indexes.joined(separator: ", ")))"
  }

  private func declaration(of property: StoredProperty, _ schema: ClassSchema) -> String {
    func has(_ kind: IndexKind) -> Bool {
      schema.indexes.map(\.description).contains {
        $0.kind == kind && $0.propertyNames == [property.name]
      }
    }
    var options: [String] = []
    if property.isPrimaryKey {
      options.append("primaryKey: true")
      if property.isAutoIncremented { options.append("autoIncrement: true") }
    } else if has(.unique) {
      options.append("unique: true")
    } else if property.indexID != 0 {
      options.append("indexed: true")
    }
    if has(.fullText) { options.append("fullText: true") }
    let persisted =
      options.isEmpty ? "@Persisted" : "@Persisted(\(options.joined(separator: ", ")))"
    let zero: Value = property.kind.isNullable ? .null : property.kind.type.zeroValue
    let constant =
      property.mayLackDefault || property.kind.type == .mixed
      ? nil : property.addedConstant.flatMap { $0 == zero ? nil : $0.literal }
    let value = constant.map { " = \($0)" } ?? ""
    return "\(persisted) var \(property.name.asIdentifier): \(type(of: property))\(value)"
  }

  private func type(of property: StoredProperty) -> String {
    let target = property.targetClassID.flatMap { file.schema(ofClass: $0)?.name.asIdentifier }
    let isSingleLink = property.kind.type == .link && property.kind.collection == .none
    let name = property.kind.typeName(target: target)
    return isSingleLink && !name.hasSuffix("?") ? name + "?" : name
  }
}

extension String {
  private static let keywords: Set = [
    "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "Self", "some", "static", "struct", "subscript",
    "super", "switch", "throw", "throws", "true", "try", "Type", "typealias", "var", "where",
    "while",
  ]

  /// Whether the name can be declared, if necessary in backticks.
  fileprivate var isDeclarable: Bool {
    !isEmpty && printable == self
      && !unicodeScalars.contains { $0 == "`" || $0 == "\\" }
  }

  /// The name in a declaration, in backticks where it has to be.
  fileprivate var asIdentifier: String {
    let isPlain =
      first.map { $0.isLetter || $0 == "_" } == true
      && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain && !Self.keywords.contains(self) ? self : "`\(self)`"
  }

  /// The string as a literal.
  fileprivate var asLiteral: String { debugDescription }
}

extension Value {
  /// The value as a literal; nil for values that need a call.
  fileprivate var literal: String? {
    switch self {
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value) where value.isFinite: "\(value)"
    case .double(let value) where value.isFinite: "\(value)"
    case .string(let value): value.asLiteral
    default: nil
    }
  }
}
