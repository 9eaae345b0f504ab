import VarveCore

/// A point of the earth, in degrees.
///
/// Objects hold points as GeoJSON does: a text `type` that says `Point`, and a list `coordinates` of longitude and
/// latitude.
///
/// ```swift
/// @Model final class Location: EmbeddedObject {
///   @Persisted var type = "Point"
///   @Persisted var coordinates: List<Double>
/// }
/// ```
///
/// Thread safety: an immutable value.
public struct GeoPoint: Hashable, Sendable {
  /// North of the equator: -90 to 90.
  public let latitude: Double
  /// East of Greenwich: -180 to 180.
  public let longitude: Double
  /// The height in metres; queries take no notice of it.
  public let altitude: Double

  /// A point; nil for a latitude beyond ±90, a longitude beyond ±180, a negative or infinite altitude, and NaN.
  ///
  /// - Parameters:
  ///   - latitude: north of the equator, in degrees.
  ///   - longitude: east of Greenwich, in degrees.
  ///   - altitude: the height in metres.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      altitude >= 0, altitude.isFinite
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// A point from latitude and longitude; nil as of ``init(latitude:longitude:altitude:)``.
  public init?(_ coordinates: (Double, Double)) {
    self.init(latitude: coordinates.0, longitude: coordinates.1)
  }

  var direction: GeoDirection { GeoDirection(latitude: latitude, longitude: longitude) }
}

/// A distance on the surface of the earth, taken as a sphere with a radius of 6,378.1 km.
///
/// Thread safety: an immutable value.
public struct GeoDistance: Hashable, Sendable {
  /// The angle at the centre of the earth.
  public let radians: Double

  private static let radiusInKilometers = 6378.1
  private static let kilometersInMile = 1.609344

  /// Nil for a negative number and NaN.
  private init?(checked radians: Double) {
    guard radians >= 0, radians.isFinite else { return nil }
    self.radians = radians
  }

  /// A distance in kilometres; nil for a negative or infinite number and NaN.
  public static func kilometers(_ number: Double) -> GeoDistance? {
    GeoDistance(checked: number / radiusInKilometers)
  }

  /// A distance in miles; nil for a negative or infinite number and NaN.
  public static func miles(_ number: Double) -> GeoDistance? {
    kilometers(number * kilometersInMile)
  }

  /// A distance in degrees of a great circle; nil for a negative or infinite number and NaN.
  public static func degrees(_ number: Double) -> GeoDistance? {
    GeoDistance(checked: number * .pi / 180)
  }

  /// A distance in radians of a great circle; nil for a negative or infinite number and NaN.
  public static func radians(_ number: Double) -> GeoDistance? { GeoDistance(checked: number) }

  /// The distance in kilometres.
  public func asKilometers() -> Double { radians * GeoDistance.radiusInKilometers }
  /// The distance in miles.
  public func asMiles() -> Double { asKilometers() / GeoDistance.kilometersInMile }
  /// The distance in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }
  /// The distance in radians.
  public func asRadians() -> Double { radians }
}

/// A distance on the surface of the earth.
public typealias Distance = GeoDistance
