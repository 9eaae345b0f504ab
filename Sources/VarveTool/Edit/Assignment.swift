import VarveCore
import VarveEncoding
import VarveJSONLines

/// A new value of a property on a command line: `name=text` or `name:=JSON`.
struct Assignment {
  let property: StoredProperty
  let value: JSONValue

  /// The value as it was given.
  let text: String

  /// - Throws: ``ToolError`` for an unknown property, and for a text that is not a value of its type.
  init(_ argument: String, of schema: ClassSchema) throws {
    guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      throw ToolError("A value is set by name=text or name:=JSON.\n  \(argument.printable)")
    }
    var name = argument[..<sign]
    text = String(argument.unicodeScalars[argument.unicodeScalars.index(after: sign)...])
    let isJSON = name.last == ":"
    if isJSON { name.removeLast() }
    property = try schema.requireProperty(String(name))
    if isJSON {
      do throws(Failure) {
        value = try ObjectReader.parse(Array(text.utf8))
      } catch {
        throw ToolError(
          "The value is not JSON.\n  \(schema.name.printable).\(name.description.printable)\n"
            + "  \(text.cut.printable)\n"
            + ([error.message] + error.details).map { "  \($0.printable)" }.joined(separator: "\n"))
      }
      return
    }
    let type = property.kind.type
    guard property.kind.collection == .none, type != .link, type != .mixed else {
      throw ToolError(
        "The property is set in JSON: \(name.description.printable):=JSON.\n"
          + "  \(schema.name.printable).\(name.description.printable)")
    }
    guard let scalar = JSONScalar.json(of: text, as: type) else {
      throw ToolError(
        "The text is not a value of the property, which is of type \(type.swiftName).\n"
          + "  \(schema.name.printable).\(name.description.printable)\n  \(text.cut.printable)")
    }
    value = scalar
  }
}
