import VarveCore
import VarveEncoding

extension Query where T: _QueryRoot {
  /// Whether the object is a point within a region. See ``geoWithin(_:)-(GeoShape)``.
  ///
  /// - Precondition: The class has a property `coordinates` of type `List<Double>` and a property
  ///   `type` of type `String`.
  public func geoWithin(_ shape: some GeoShape) -> Query<Bool> { within(shape, T.self) }
}

extension Query {
  /// Whether the linked or embedded object is a point within a region.
  ///
  /// A point is an object whose `type` is `Point` and whose `coordinates` are the longitude and the
  /// latitude in degrees, as in GeoJSON. A null link, an object of another `type`, and coordinates
  /// out of range are within no region.
  ///
  /// - Precondition: The class has a property `coordinates` of type `List<Double>` and a property
  ///   `type` of type `String`.
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
      Misuse.trap(
        "Objects of class \(info.name) are not points: a point requires 'coordinates: List<Double>' "
          + "and 'type: String'.")
    }
    return compare(.geoWithin, .region(shape._$region.region))
  }
}
