package import VarveCore

/// A region of the earth in which queries look for points: ``GeoBox``, ``GeoPolygon``, ``GeoCircle``.
///
/// The library's conformances are all there are.
public protocol GeoShape: Hashable, Sendable {
  /// The region.
  var _$region: _GeoRegion { get }
}

/// A region as the core knows it; it has no members for users.
public struct _GeoRegion: Sendable {
  package let region: GeoRegion
}

/// The region between two latitudes and two longitudes, its border included.
///
/// Where the left side lies east of the right one, the box goes over the 180th meridian.
///
/// Thread safety: an immutable value.
public struct GeoBox: GeoShape {
  /// The south-western corner.
  public let bottomLeft: GeoPoint
  /// The north-eastern corner.
  public let topRight: GeoPoint

  /// A box between two corners. One whose bottom lies above its top holds nothing.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// A box between two corners; nil when one is no point, see ``GeoPoint/init(latitude:longitude:altitude:)``.
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

/// The region within a distance of a point, its border included.
///
/// Thread safety: an immutable value.
public struct GeoCircle: GeoShape {
  /// The point in the middle.
  public let center: GeoPoint
  /// The distance.
  public let radius: GeoDistance

  /// A circle around a point.
  public init(center: GeoPoint, radius: GeoDistance) {
    self.center = center
    self.radius = radius
  }

  /// A circle around a point; nil for a radius that is negative, infinite or NaN.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = GeoDistance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// A circle around a point; nil when there is no such point.
  public init?(center: (Double, Double), radius: GeoDistance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// A circle around a point; nil when there is no such point, or for a radius that is negative, infinite or NaN.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let radius = GeoDistance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// The region.
  public var _$region: _GeoRegion {
    _GeoRegion(region: .circle(center: center.direction, radius: radius.radians))
  }
}

/// The region inside a ring of great circles, without some holes.
///
/// Each ring fits into a hemisphere; it may go in either direction. Corners belong to the region, and to the hole that
/// they are corners of; what lies on a side may or may not.
///
/// Thread safety: an immutable value.
public struct GeoPolygon: GeoShape {
  /// The corners; the last one is the first.
  public let outerRing: [GeoPoint]
  /// The corners of each hole.
  public let holes: [[GeoPoint]]

  /// A polygon; nil for a ring of fewer than four points, and for one that is not closed.
  ///
  /// - Parameters:
  ///   - outerRing: at least three corners, and the first once more.
  ///   - holes: likewise.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]) {
    guard ([outerRing] + holes).allSatisfy({ $0.count > 3 && $0.first == $0.last }) else {
      return nil
    }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// A polygon with holes; nil as of ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])``.
  public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  /// A polygon from latitudes and longitudes; nil when one of them is no point, and as of
  /// ``init(outerRing:holes:)-([GeoPoint],[[GeoPoint]])``.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]]) {
    let rings = ([outerRing] + holes).map { ring in ring.compactMap { GeoPoint($0) } }
    guard zip(rings, [outerRing] + holes).allSatisfy({ $0.count == $1.count }) else { return nil }
    self.init(outerRing: rings[0], holes: Array(rings.dropFirst()))
  }

  /// A polygon with holes from latitudes and longitudes; nil as of
  /// `init(outerRing:holes:)` with an array of holes.
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
