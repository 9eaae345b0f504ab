import VarveEncoding
import VarveStorage

/// Reads the point of an object, stored like in GeoJSON: a list `coordinates` of longitude,
/// latitude and optionally altitude, and a string `type` with the value `Point`.
struct GeoPointSource: Sendable {
  private let object: PropertyPath
  private let type: PropertyPath
  private let coordinates: PropertyPath

  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class lacks.
  init(
    _ path: QueryPath, of model: ClassDescription, _ scope: ReadScope
  ) throws(Failure) {
    guard let names = path.names else {
      throw Failure(
        .invalidInput, "GEOWITHIN requires a path of to-one links.", className: model.name,
        propertyName: path.description)
    }
    object = try PropertyPath(names, of: model, scope)
    type = try PropertyPath(names + ["type"], of: model, scope)
    coordinates = try PropertyPath(names + ["coordinates"], of: model, scope)
  }

  /// Whether the object of a row has a point in a region.
  ///
  /// - Throws: `.corrupted` if stored bytes are damaged.
  func isWithin(
    _ region: GeoRegion, _ row: RowReader, _ id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    guard case .link(_, let target) = try object.value(of: row, id, reader),
      case .string("Point") = try type.value(of: row, id, reader),
      let (schema, property) = coordinates.last, property.kind.collection == .list,
      property.kind.type == .double, !property.kind.isNullable,
      let content = try reader.collectionContent(schema, target, property),
      (2...3).contains(content.count)
    else { return false }
    var point: [Double] = []
    _ = try reader.forEachElement(content, property) { value in
      if case .double(let coordinate) = value { point.append(coordinate) }
      return true
    }
    guard (2...3).contains(point.count) else { return false }
    return region.contains(latitude: point[1], longitude: point[0])
  }
}

extension Condition {
  /// The paths to the parts of a point: its type and its coordinates.
  ///
  /// - Parameter path: The path to the object that contains them.
  package static func pointPaths(_ path: QueryPath) -> [QueryPath] {
    [path.appending(.property("type")), path.appending(.property("coordinates"))]
  }
}
