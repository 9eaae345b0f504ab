package import VarveCore

/// A region of the earth for geospatial queries: ``GeoBox``, ``GeoPolygon`` or ``GeoCircle``.
///
/// The library declares all conformances.
public protocol GeoShape: Hashable, Sendable {
  /// The region.
  var _$region: _GeoRegion { get }
}

/// The core's representation of a region. It has no members for users.
public struct _GeoRegion: Sendable {
  package let region: GeoRegion
}

/// The region between two latitudes and two longitudes, including its border.
///
/// When the left side is east of the right side, the box crosses the 180th meridian.
public struct GeoBox: GeoShape {
  /// The southwestern corner.
  public let bottomLeft: GeoPoint
  /// The northeastern corner.
  public let topRight: GeoPoint

  /// Creates a box between two corners. A box whose bottom is above its top contains nothing.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Creates a box between two corners. Returns nil when a corner is not a valid point; see
  /// ``GeoPoint/init(latitude:longitude:altitude:)``.
  public init?(
    bottomLeft: (Double, Double),
    topRight: (Double, Double)
  ) {
    guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else {
      return nil
    }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  /// The region.
  public var _$region: _GeoRegion {
    _GeoRegion(
      region: .box(
        south: bottomLeft.latitude, west: bottomLeft.longitude, north: topRight.latitude,
        east: topRight.longitude))
  }
}

/// The region within a distance of a point, including its border.
public struct GeoCircle: GeoShape {
  /// The center of the circle.
  public let center: GeoPoint
  /// The radius of the circle.
  public let radius: GeoDistance

  /// Creates a circle around a point.
  public init(center: GeoPoint, radius: GeoDistance) {
    self.center = center
    self.radius = radius
  }

  /// Creates a circle around a point. Returns nil when the radius is negative, infinite or NaN.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = GeoDistance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Creates a circle around a point. Returns nil when the center is not a valid point.
  public init?(center: (Double, Double), radius: GeoDistance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Creates a circle around a point. Returns nil when the center is not a valid point, or the
  /// radius is negative, infinite or NaN.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let radius = GeoDistance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// The region.
  public var _$region: _GeoRegion {
    _GeoRegion(region: .circle(center: center.direction, radius: radius.radians))
  }
}

/// The region inside a ring of great circles, without its holes.
///
/// Each ring must fit into a hemisphere, and may have either direction. Corners belong to the
/// region and to the hole whose corners they are. A point on a side may or may not belong to the
/// region.
public struct GeoPolygon: GeoShape {
  /// The corners of the outer ring. The last corner is equal to the first.
  public let outerRing: [GeoPoint]
  /// The corners of each hole. The last corner is equal to the first.
  public let holes: [[GeoPoint]]

  /// Creates a polygon. Returns nil for a ring of fewer than four points, and for a ring that is
  /// not closed.
  ///
  /// - Parameters:
  ///   - outerRing: At least three corners, followed by the first one again.
  ///   - holes: The holes, each with at least three corners, followed by the first one again.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]) {
    guard ([outerRing] + holes).allSatisfy({ $0.count > 3 && $0.first == $0.last }) else {
      return nil
    }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Creates a polygon with holes; see ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])``.
  public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  /// Creates a polygon from latitudes and longitudes. Returns nil when a pair is not a valid point,
  /// and for the rings that ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])`` rejects.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]]) {
    let rings = ([outerRing] + holes).map { ring in ring.compactMap { GeoPoint($0) } }
    guard zip(rings, [outerRing] + holes).allSatisfy({ $0.count == $1.count }) else { return nil }
    self.init(outerRing: rings[0], holes: Array(rings.dropFirst()))
  }

  /// Creates a polygon with holes from latitudes and longitudes; see `init(outerRing:holes:)` with
  /// an array of holes.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  /// The region.
  public var _$region: _GeoRegion {
    _GeoRegion(
      region: .polygon(
        ([outerRing] + holes).map { ring in GeoRing(ring.dropLast().map(\.direction)) }))
  }
}
