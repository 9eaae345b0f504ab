import Foundation

/// A point on the sphere, as the direction from its center.
package struct GeoDirection: Sendable, Hashable {
  let x: Double
  let y: Double
  let z: Double

  /// Creates a direction from a latitude and a longitude in degrees.
  package init(latitude: Double, longitude: Double) {
    let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
    self.init(
      x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
  }

  private init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The angle between two directions, in radians. Accurate for small angles too.
  func angle(to other: GeoDirection) -> Double {
    let cross = self.cross(other)
    return atan2(cross.dot(cross).squareRoot(), dot(other))
  }

  func dot(_ other: GeoDirection) -> Double { x * other.x + y * other.y + z * other.z }

  private func cross(_ other: GeoDirection) -> GeoDirection {
    GeoDirection(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// The angle by which the path from one point to another turns around this direction, from -π to
  /// π.
  func rotation(from start: GeoDirection, to end: GeoDirection) -> Double {
    let (a, b) = (cross(start), cross(end))
    return atan2(dot(a.cross(b)), a.dot(b))
  }

  /// The sum of some directions, which points to their middle.
  static func middle(of directions: [GeoDirection]) -> GeoDirection {
    directions.reduce(GeoDirection(x: 0, y: 0, z: 0)) {
      GeoDirection(x: $0.x + $1.x, y: $0.y + $1.y, z: $0.z + $1.z)
    }
  }
}

/// A region of the earth, modeled as a sphere, that `GEOWITHIN` searches.
package enum GeoRegion: Sendable, Hashable {
  /// A range of latitudes and longitudes in degrees. If west is greater than east, the box crosses
  /// the ±180 meridian.
  case box(south: Double, west: Double, north: Double, east: Double)
  /// All points at a distance of at most `radius` radians.
  case circle(center: GeoDirection, radius: Double)
  /// The points in the first ring and in none of the other rings. Each ring must fit into a
  /// hemisphere.
  case polygon([GeoRing])

  /// Whether a point, in degrees, is in the region or on its border. On the border of a polygon,
  /// only the corners are guaranteed to be included.
  ///
  /// - Complexity: O(corners).
  package func contains(latitude: Double, longitude: Double) -> Bool {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return false }
    switch self {
    case .box(let south, let west, let north, let east):
      guard latitude >= south, latitude <= north else { return false }
      return west <= east
        ? (west...east).contains(longitude) : longitude >= west || longitude <= east
    case .circle(let center, let radius):
      return center.angle(to: GeoDirection(latitude: latitude, longitude: longitude)) <= radius
    case .polygon(let rings):
      let point = GeoDirection(latitude: latitude, longitude: longitude)
      guard let outer = rings.first, outer.contains(point) else { return false }
      return !rings.dropFirst().contains { $0.contains(point) }
    }
  }
}

/// A closed ring of great-circle arcs.
package struct GeoRing: Sendable, Hashable {
  private let corners: [GeoDirection]
  private let middle: GeoDirection

  /// Creates a ring from its corners, each given once, in either direction.
  package init(_ corners: [GeoDirection]) {
    self.corners = corners
    middle = GeoDirection.middle(of: corners)
  }

  func contains(_ point: GeoDirection) -> Bool {
    // A path around a point also turns around the antipode. The ring is in one hemisphere, so
    // exclude the other one.
    guard point.dot(middle) > 0 else { return false }
    var turned = 0.0
    for (index, corner) in corners.enumerated() {
      if point.angle(to: corner) < 1e-12 { return true }
      turned += point.rotation(from: corner, to: corners[(index + 1) % corners.count])
    }
    return abs(turned) > .pi
  }
}

extension GeoRegion: CustomStringConvertible {
  /// The kind of the region, with its numbers.
  package var description: String {
    switch self {
    case .box(let south, let west, let north, let east):
      "GeoBox([\(west), \(south)], [\(east), \(north)])"
    case .circle(_, let radius): "GeoCircle(\(radius))"
    case .polygon(let rings): "GeoPolygon(\(rings.count) rings)"
    }
  }
}
