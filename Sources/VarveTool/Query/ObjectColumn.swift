import Varve
import VarveCore
import VarveEncoding
import VarveStorage

/// A column of a listing of objects: a property, a property of a linked object, or the object's id.
struct ObjectColumn {
  private enum Source {
    case id
    case property(StoredProperty)
    case path(PropertyPath, StoredProperty)
  }

  let column: Column
  private let source: Source

  /// The column of the ids of objects, which is titled “#”.
  static let id = ObjectColumn(column: Column(title: "#", isNumeric: true), source: .id)

  private init(column: Column, source: Source) {
    self.column = column
    self.source = source
  }

  /// Creates the column of a property.
  init(_ property: StoredProperty) {
    self.init(
      column: Column(title: property.name, isNumeric: property.isNumeric),
      source: .property(property))
  }

  /// Creates the column with a name: `age`, `owner.name`, `#`.
  ///
  /// - Throws: ``ToolError`` for a property that the class does not have; a `Failure` for a path
  ///   that leads through a value or a collection.
  init(named name: String, of schema: ClassSchema, in version: StoreVersion) throws {
    if name == "#" {
      self = .id
      return
    }
    let names = DottedPath.names(name)
    let first = try schema.requireProperty(names.first ?? "")
    guard names.count > 1 else {
      self.init(first)
      return
    }
    let path = try PropertyPath(names, of: version.schema.model(of: schema), version.scope)
    guard let property = path.last?.property, property.kind.collection == .none else {
      throw ToolError(
        "A path to a collection of another object cannot be a column.\n"
          + "  \(schema.name.printable).\(name.printable)")
    }
    self.init(
      column: Column(title: name, isNumeric: property.isNumeric), source: .path(path, property))
  }

  /// Returns the columns of whole objects: the id in the file if the class has no primary key, and
  /// all properties.
  static func all(of schema: ClassSchema) -> [ObjectColumn] {
    (schema.primaryKey == nil ? [.id] : []) + schema.properties.map { ObjectColumn($0) }
  }

  /// Returns the value of an object.
  ///
  /// - Throws: `.corrupted`.
  func cell(
    _ row: RowReader, _ id: UInt64, _ snapshot: Snapshot
  ) throws(Failure) -> Cell {
    switch source {
    case .id: return .id(id)
    case .property(let property) where property.kind.collection != .none:
      return .collection(row.content(of: property), property)
    case .property(let property):
      if let blob = try row.blob(of: property) { return .blob(blob, property) }
      return .value(try snapshot.comparedValue(of: row, id, property), property)
    case .path(let path, let property):
      return .value(try path.verifiedValue(of: row, id, snapshot), property)
    }
  }
}

extension StoredProperty {
  /// Whether the values are numbers, which are aligned to the right.
  var isNumeric: Bool { kind.collection == .none && kind.type.isNumber }
}

extension VarveEncoding.PropertyType {
  /// Whether the values are numbers.
  var isNumber: Bool { isInteger || self == .float || self == .double || self == .decimal128 }
}
