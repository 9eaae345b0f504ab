import VarveEncoding
import VarveStorage

/// Where a condition finds the point of an object: in a list `coordinates` of longitude, latitude and, if it likes,
/// height, beside a text `type` that says `Point`, as GeoJSON has it.
///
/// Thread safety: an immutable value.
struct GeoPlace: Sendable {
  private let object: PropertyPath
  private let type: PropertyPath
  private let coordinates: PropertyPath

  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  init(
    _ path: QueryPath, of model: ClassDescription, _ scope: ReadScope
  ) throws(Failure) {
    guard let names = path.names else {
      throw Failure(
        .invalidInput, "Points are found over to-one links.", className: model.name,
        propertyName: path.description)
    }
    object = try PropertyPath(names, of: model, scope)
    type = try PropertyPath(names + ["type"], of: model, scope)
    coordinates = try PropertyPath(names + ["coordinates"], of: model, scope)
  }

  /// Whether the object of a row has a point in a region.
  ///
  /// - Throws: `.corrupted` when bytes on the way are damaged.
  func isWithin(
    _ region: GeoRegion, _ row: RowReader, _ id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Bool {
    guard case .link(_, let target) = try object.value(of: row, id, reader),
      case .string("Point") = try type.value(of: row, id, reader),
      let (schema, property) = coordinates.last,
      let slot = try reader.collectionSlot(schema, target, property)
    else { return false }
    guard let point = try reader.doubles(slot, property), (2...3).contains(point.count) else {
      return false
    }
    return region.contains(latitude: point[1], longitude: point[0])
  }
}

extension TableReader {
  /// The elements of a list of numbers that fits into one node; nil for longer ones, and for other lists.
  fileprivate func doubles(
    _ slot: CollectionSlot, _ property: StoredProperty
  ) throws(Failure) -> [Double]? {
    let format = ListElementFormat(property.kind)
    guard slot.count > 0, slot.count < 8, format.type == .double, !format.isNullable else {
      return nil
    }
    var key = OrderedKey()
    ListNodeKey(listID: slot.id, nodeID: 0).encode(into: &key)
    do throws(FormatError) {
      guard let bytes = key.withUnsafeBytes({ find(.lists, key: $0) }) else { return nil }
      let leaf = try ListLeaf(validating: bytes, format: format)
      return (0..<leaf.count).map { Double(bitPattern: leaf.bits64(at: $0)) }
    } catch {
      throw Failure(error, message: "A list is damaged.", propertyName: property.name)
    }
  }
}

extension Condition {
  /// The paths to what makes a point: its type and its coordinates.
  ///
  /// `path`: to the object that has them.
  package static func pointPaths(_ path: QueryPath) -> [QueryPath] {
    [path.appending(.property("type")), path.appending(.property("coordinates"))]
  }
}
