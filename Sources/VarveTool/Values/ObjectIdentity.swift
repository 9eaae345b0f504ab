import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

/// The identity of an object on a command line: the value of its primary key, or its id in the file,
/// `12` or `#12`, if its class has no primary key.
struct ObjectIdentity {
  let schema: ClassSchema
  let id: UInt64

  /// Finds an object.
  ///
  /// - Parameters:
  ///   - text: The key as text: a date in ISO 8601, data in Base64.
  ///   - schema: The class, which is not embedded.
  /// - Throws: ``ToolError`` for a text that is not a key of the class, and when there is no such
  ///   object; a `Failure` with `.corrupted`.
  init(
    _ text: String, of schema: ClassSchema, _ model: ClassDescription, in scope: ReadScope
  ) throws {
    self.schema = schema
    guard let key = schema.primaryKey else {
      let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
      guard let id = UInt64(digits) else {
        throw ToolError(
          "The class has no primary key. Give the id of the object in the file, such as #12.\n"
            + "  \(schema.name.printable)\n  \(text.printable)")
      }
      guard try scope.reader.row(schema, id) != nil else {
        throw Self.missing(schema, "#\(id)")
      }
      self.id = id
      return
    }
    guard let value = JSONScalar.value(of: text, as: key.kind.type) else {
      throw ToolError(
        "The text is not a value of the primary key, which is of type "
          + "\(key.kind.type.swiftName).\n  \(schema.name.printable).\(key.name.printable)\n"
          + "  \(text.printable)")
    }
    guard let id = try scope.objectID(value, of: schema, model) else {
      throw Self.missing(schema, text.printable)
    }
    self.id = id
  }

  private static func missing(_ schema: ClassSchema, _ key: String) -> ToolError {
    ToolError("The class has no object with this key.\n  \(schema.name.printable)\n  \(key)")
  }
}

extension ReadScope {
  /// Returns the id of the object with a primary key; nil when there is none.
  ///
  /// - Precondition: The class has a primary key.
  /// - Throws: `.corrupted`.
  /// - Complexity: One look-up.
  func objectID(
    _ key: Value, of schema: ClassSchema, _ model: ClassDescription
  ) throws(Failure) -> UInt64? {
    guard let property = schema.primaryKey else { return nil }
    var query = ElementQuery(.object(model))
    query = query.narrowed(
      by: .comparison(
        Condition.Comparison(.path(QueryPath([property.name])), .equal, .constant(.value(key)))))
    return try query.objectIDs(in: self, limit: 1).first
  }
}
