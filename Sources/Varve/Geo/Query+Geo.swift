import VarveCore
import VarveEncoding

extension Query where T: _QueryRoot {
  /// Whether the object is a point in a region; see ``geoWithin(_:)-(GeoShape)``.
  ///
  /// - Precondition: the class has a property `coordinates` that is a `List<Double>`, and a property `type` that is a
  ///   `String`.
  public func geoWithin(_ shape: some GeoShape) -> Query<Bool> { within(shape, T.self) }
}

extension Query {
  /// Whether the linked or embedded object is a point in a region.
  ///
  /// A point is an object whose `type` is `Point` and whose `coordinates` are longitude and latitude in degrees, as in
  /// GeoJSON. No object, another type, and coordinates that are no place of the earth are in no region.
  ///
  /// - Precondition: the class has a property `coordinates` that is a `List<Double>`, and a property `type` that is a
  ///   `String`.
  public func geoWithin<O: _QueryRoot>(_ shape: some GeoShape) -> Query<Bool> where T == O? {
    within(shape, O.self)
  }

  private func within(_ shape: some GeoShape, _ type: ObjectBase.Type) -> Query<Bool> {
    let info = ClassInfo.of(type)
    let kinds = ["coordinates", "type"].map { name in
      info.slot(named: name).map { info.properties[$0].type.kind }
    }
    guard
      kinds == [PropertyKind(type: .double, collection: .list), PropertyKind(type: .string)]
    else {
      QueryMisuse.trap(
        "Objects of class \(info.name) are no points: they need 'coordinates: List<Double>' and "
          + "'type: String'.")
    }
    return compare(.geoWithin, .region(shape._$region.region))
  }
}
