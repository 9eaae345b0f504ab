import VarveCore

/// A point on the earth, in degrees.
///
/// Objects store points as in GeoJSON: a string `type` with the value `Point`, and a list
/// `coordinates` of the longitude and the latitude.
///
/// ```swift
/// @Model final class Location: EmbeddedObject {
///   @Persisted var type = "Point"
///   @Persisted var coordinates: List<Double>
/// }
/// ```
public struct GeoPoint: Hashable, Sendable {
  /// The latitude, in degrees north of the equator: -90 to 90.
  public let latitude: Double
  /// The longitude, in degrees east of Greenwich: -180 to 180.
  public let longitude: Double
  /// The altitude in meters. Queries ignore it.
  public let altitude: Double

  /// Creates a point. Returns nil for a latitude beyond ±90, a longitude beyond ±180, a negative or
  /// infinite altitude, and NaN.
  ///
  /// - Parameters:
  ///   - latitude: The latitude, in degrees north of the equator.
  ///   - longitude: The longitude, in degrees east of Greenwich.
  ///   - altitude: The altitude, in meters.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      altitude >= 0, altitude.isFinite
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Creates a point from a latitude and a longitude; see ``init(latitude:longitude:altitude:)``.
  public init?(_ coordinates: (Double, Double)) {
    self.init(latitude: coordinates.0, longitude: coordinates.1)
  }

  var direction: GeoDirection { GeoDirection(latitude: latitude, longitude: longitude) }
}

/// A distance on the surface of the earth, which is approximated by a sphere with a radius of
/// 6,378.1 km.
public struct GeoDistance: Hashable, Sendable {
  /// The angle at the center of the earth.
  public let radians: Double

  private static let radiusInKilometers = 6378.1
  private static let kilometersInMile = 1.609344

  /// Returns nil for a negative or infinite number and NaN.
  private init?(checked radians: Double) {
    guard radians >= 0, radians.isFinite else { return nil }
    self.radians = radians
  }

  /// Returns a distance in kilometers, or nil for a negative or infinite number and NaN.
  public static func kilometers(_ number: Double) -> GeoDistance? {
    GeoDistance(checked: number / radiusInKilometers)
  }

  /// Returns a distance in miles, or nil for a negative or infinite number and NaN.
  public static func miles(_ number: Double) -> GeoDistance? {
    kilometers(number * kilometersInMile)
  }

  /// Returns a distance in degrees of a great circle, or nil for a negative or infinite number and
  /// NaN.
  public static func degrees(_ number: Double) -> GeoDistance? {
    GeoDistance(checked: number * .pi / 180)
  }

  /// Returns a distance in radians of a great circle, or nil for a negative or infinite number and
  /// NaN.
  public static func radians(_ number: Double) -> GeoDistance? { GeoDistance(checked: number) }

  /// Returns the distance in kilometers.
  public func asKilometers() -> Double { radians * GeoDistance.radiusInKilometers }
  /// Returns the distance in miles.
  public func asMiles() -> Double { asKilometers() / GeoDistance.kilometersInMile }
  /// Returns the distance in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }
  /// Returns the distance in radians.
  public func asRadians() -> Double { radians }
}

/// A distance on the surface of the earth.
public typealias Distance = GeoDistance
