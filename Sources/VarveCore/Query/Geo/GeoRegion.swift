import Foundation

/// A place on the sphere: the direction from its centre.
///
/// Thread safety: an immutable value.
package struct GeoDirection: Sendable, Hashable {
  let x: Double
  let y: Double
  let z: Double

  /// `latitude`, `longitude`: in degrees.
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

  /// The angle between two directions, in radians; exact for small ones too.
  func angle(to other: GeoDirection) -> Double {
    let cross = self.cross(other)
    return atan2(cross.dot(cross).squareRoot(), dot(other))
  }

  func dot(_ other: GeoDirection) -> Double { x * other.x + y * other.y + z * other.z }

  private func cross(_ other: GeoDirection) -> GeoDirection {
    GeoDirection(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// By how much the way from one place to another turns around this direction: -π to π.
  func turn(from start: GeoDirection, to end: GeoDirection) -> Double {
    let (a, b) = (cross(start), cross(end))
    return atan2(dot(a.cross(b)), a.dot(b))
  }

  /// The middle of some directions.
  static func middle(of directions: [GeoDirection]) -> GeoDirection {
    directions.reduce(GeoDirection(x: 0, y: 0, z: 0)) {
      GeoDirection(x: $0.x + $1.x, y: $0.y + $1.y, z: $0.z + $1.z)
    }
  }
}

/// A region of the earth, taken as a sphere, in which queries look for points.
///
/// Thread safety: an immutable value.
package enum GeoRegion: Sendable, Hashable {
  /// Degrees of latitude and longitude; where the west is greater than the east, the longitudes go over ±180.
  case box(south: Double, west: Double, north: Double, east: Double)
  /// All points at most `radius` radians away.
  case circle(center: GeoDirection, radius: Double)
  /// What lies in the first ring and in none of the others; each fits into a hemisphere.
  case polygon([GeoRing])

  /// Whether a place, in degrees, lies in the region or on its border. Of a polygon's border only the corners are
  /// sure to count.
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
      let place = GeoDirection(latitude: latitude, longitude: longitude)
      guard let outer = rings.first, outer.contains(place) else { return false }
      return !rings.dropFirst().contains { $0.contains(place) }
    }
  }
}

/// A closed ring of great circles.
///
/// Thread safety: an immutable value.
package struct GeoRing: Sendable, Hashable {
  private let corners: [GeoDirection]
  private let middle: GeoDirection

  /// `corners`: each once, in either direction.
  package init(_ corners: [GeoDirection]) {
    self.corners = corners
    middle = GeoDirection.middle(of: corners)
  }

  func contains(_ place: GeoDirection) -> Bool {
    // A way around the place goes around the place opposite, too: the ring is in one hemisphere.
    guard place.dot(middle) > 0 else { return false }
    var turned = 0.0
    for (index, corner) in corners.enumerated() {
      if place.angle(to: corner) < 1e-12 { return true }
      turned += place.turn(from: corner, to: corners[(index + 1) % corners.count])
    }
    return abs(turned) > .pi
  }
}

extension GeoRegion: CustomStringConvertible {
  /// What kind of region it is, with its numbers.
  package var description: String {
    switch self {
    case .box(let south, let west, let north, let east):
      "GeoBox([\(west), \(south)], [\(east), \(north)])"
    case .circle(_, let radius): "GeoCircle(\(radius))"
    case .polygon(let rings): "GeoPolygon(\(rings.count) rings)"
    }
  }
}
