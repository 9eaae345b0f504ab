import Foundation
import Testing
import Varve
import VarveTestSupport

@Model final class Spot: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>

  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
}

@Model final class GeoShop: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var spot: Spot?
}

/// A point whose class is not embedded.
@Model final class Beacon: Object {
  @Persisted var type: String
  @Persisted var coordinates: List<Double>
  @Persisted var name: String
}

@Suite struct GeoTests {
  private static let places: [(String, Double, Double)] = [
    ("Berlin", 52.52, 13.405), ("Potsdam", 52.39, 13.065), ("Paris", 48.8566, 2.3522),
    ("Suva", -18.14, 178.44), ("Apia", -13.83, -171.77), ("Pole", 90, 0), ("Null", 0, 0),
  ]

  private func withShops(_ body: (Realm, Results<GeoShop>) throws -> Void) throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        for (name, latitude, longitude) in GeoTests.places {
          realm.create(GeoShop.self, value: ["name": name]).spot = Spot(latitude, longitude)
        }
        realm.create(GeoShop.self, value: ["name": "Nowhere"])
      }
      try body(realm, realm.objects(GeoShop.self))
    }
  }

  private func names(_ shops: Results<GeoShop>, _ shape: some GeoShape) -> Set<String> {
    Set(shops.where { $0.spot.geoWithin(shape) }.map(\.name))
  }

  @Test func circleContainsNearbyPoints() throws {
    let berlin = try #require(GeoPoint(latitude: 52.52, longitude: 13.405))
    try withShops { _, shops in
      let near = try #require(GeoDistance.kilometers(30))
      #expect(names(shops, GeoCircle(center: berlin, radius: near)) == ["Berlin", "Potsdam"])
      let far = try #require(GeoDistance.miles(600))
      #expect(
        names(shops, GeoCircle(center: berlin, radius: far)) == ["Berlin", "Potsdam", "Paris"])
      let none = try #require(GeoCircle(center: berlin, radiusInRadians: 0))
      #expect(names(shops, none) == ["Berlin"])
      let all = try #require(GeoCircle(center: berlin, radiusInRadians: .pi))
      #expect(names(shops, all).count == 7)
      let pole = try #require(GeoCircle(center: (89, 180), radiusInRadians: 0.02))
      #expect(names(shops, pole) == ["Pole"])
    }
  }

  @Test func boxContainsPointsBetweenItsSides() throws {
    try withShops { _, shops in
      let germany = try #require(GeoBox(bottomLeft: (47, 5), topRight: (55, 15)))
      #expect(names(shops, germany) == ["Berlin", "Potsdam"])
      let pacific = try #require(GeoBox(bottomLeft: (-20, 170), topRight: (-10, -170)))
      #expect(names(shops, pacific) == ["Suva", "Apia"])
      let border = try #require(GeoBox(bottomLeft: (0, 0), topRight: (48.8566, 2.3522)))
      #expect(names(shops, border) == ["Paris", "Null"])
      let turned = try #require(GeoBox(bottomLeft: (55, 5), topRight: (47, 15)))
      #expect(names(shops, turned).isEmpty)
    }
  }

  @Test func polygonContainsPointsOutsideItsHoles() throws {
    try withShops { _, shops in
      let corners = [(45.0, 0.0), (45.0, 20.0), (55.0, 20.0), (55.0, 0.0), (45.0, 0.0)]
      let hole = [(52.0, 13.0), (52.0, 13.2), (52.6, 13.2), (52.6, 13.0), (52.0, 13.0)]
      let europe = try #require(GeoPolygon(outerRing: corners))
      #expect(names(shops, europe) == ["Berlin", "Potsdam", "Paris"])
      let turned = try #require(GeoPolygon(outerRing: corners.reversed()))
      #expect(names(shops, turned) == ["Berlin", "Potsdam", "Paris"])
      let holed = try #require(GeoPolygon(outerRing: corners, holes: [hole]))
      #expect(names(shops, holed) == ["Berlin", "Paris"])
      let arctic = [(60.0, 0.0), (60.0, 120.0), (60.0, -120.0), (60.0, 0.0)]
      #expect(names(shops, try #require(GeoPolygon(outerRing: arctic))) == ["Pole"])
      let pacific = [
        (-25.0, 170.0), (-25.0, -165.0), (-5.0, -165.0), (-5.0, 170.0), (-25.0, 170.0),
      ]
      #expect(names(shops, try #require(GeoPolygon(outerRing: pacific))) == ["Suva", "Apia"])
    }
  }

  @Test func invalidPointsAreInNoRegion() throws {
    try withTemporaryRealm { realm, _ in
      try realm.write {
        let lists: [(String, [Double])] = [
          ("Point", [1, 2]), ("Point", [1, 2, 300]), ("Polygon", [1, 2]), ("Point", []),
          ("Point", [1]), ("Point", [1, 2, 3, 4]), ("Point", [1, 91]), ("Point", [181, 2]),
          ("Point", [.nan, 2]), ("Point", [Double](repeating: 1, count: 1_000)),
        ]
        for (name, (type, coordinates)) in lists.enumerated() {
          let beacon = realm.create(Beacon.self, value: ["type": type, "name": "\(name)"])
          beacon.coordinates.append(objectsIn: coordinates)
        }
        let all = try #require(GeoBox(bottomLeft: (-90, -180), topRight: (90, 180)))
        let found = realm.objects(Beacon.self).where { $0.geoWithin(all) }
        #expect(found.map(\.name) == ["0", "1"])
      }
      let all = try #require(GeoBox(bottomLeft: (-90, -180), topRight: (90, 180)))
      let found = realm.objects(Beacon.self).where { $0.geoWithin(all) && $0.name != "0" }
      #expect(found.map(\.name) == ["1"])
      #expect(realm.objects(Beacon.self).where { !$0.geoWithin(all) }.count == 8)
    }
  }

  @Test func observedResultsFollowMovingPoints() async throws {
    let store = try TemporaryRealm()
    defer { store.end() }
    let realm = try store.open()
    let germany = try #require(GeoBox(bottomLeft: (47, 5), topRight: (55, 15)))
    let shop = try await realm.write {
      let shop = realm.create(GeoShop.self, value: ["name": "a"])
      shop.spot = Spot(0, 0)
      return shop
    }
    let found = realm.objects(GeoShop.self).where { $0.spot.geoWithin(germany) }
    var changes = found.changes.makeAsyncIterator()
    guard case .initial? = await changes.next() else { throw Cancelled() }
    try await realm.write {
      shop.spot?.coordinates[0] = 10
      shop.spot?.coordinates[1] = 50
    }
    guard case .update(_, let first)? = await changes.next() else { throw Cancelled() }
    #expect(first.insertions == [0])
    try await realm.write { shop.spot?.type = "point" }
    guard case .update(_, let second)? = await changes.next() else { throw Cancelled() }
    #expect(second.deletions == [0])
  }

  @Test func invalidCoordinatesAreNil() {
    #expect(
      GeoPoint(latitude: 90.1, longitude: 0) == nil && GeoPoint(latitude: -91, longitude: 0) == nil)
    #expect(
      GeoPoint(latitude: 0, longitude: 180.1) == nil
        && GeoPoint(latitude: .nan, longitude: 0) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 0, altitude: -1) == nil)
    #expect(GeoPoint(latitude: 0, longitude: .infinity) == nil && GeoPoint((91, 0)) == nil)
    #expect(GeoBox(bottomLeft: (0, 0), topRight: (91, 0)) == nil)
    #expect(GeoCircle(center: (0, 200), radiusInRadians: 1) == nil)
    #expect(GeoCircle(center: (0, 0), radiusInRadians: -1) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 1), (1, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (0, 200), (0, 0)]) == nil)
    for distance in [GeoDistance.kilometers(-1), .miles(.nan), .degrees(.infinity), .radians(-0.1)]
    {
      #expect(distance == nil)
    }
  }

  @Test func distancesAreConverted() throws {
    let distance = try #require(GeoDistance.kilometers(6378.1))
    #expect(distance.asRadians() == 1 && abs(distance.asDegrees() - 57.29577951308232) < 1e-9)
    #expect(abs(distance.asMiles() - 3963.167672) < 1e-3 && distance.asKilometers() == 6378.1)
    #expect(try abs(#require(GeoDistance.degrees(180)).radians - .pi) < 1e-12)
  }

  /// Circles and polygons, verified by another computation: a small polygon with many corners
  /// approximates a circle.
  @Test func polygonWithManyCornersMatchesCircle() throws {
    var random = SeededRandom()
    for _ in 0..<40 {
      let latitude = Double(random.int(-60...60)), longitude = Double(random.int(-180...180))
      let radius = Double(random.int(2...20))
      let ring = (0...90).map { step in
        GeoTests.destination(latitude, longitude, radius, Double(step % 90) * 4)
      }
      let polygon = try #require(GeoPolygon(outerRing: ring), "\(random)")
      try withTemporaryRealm { realm, _ in
        for part in [0.0, 0.5, 0.95, 1.05, 2] {
          let place = GeoTests.destination(
            latitude, longitude, radius * part, Double(random.int(0...359)))
          try realm.write {
            let beacon = realm.create(Beacon.self, value: ["type": "Point", "name": "\(part)"])
            beacon.coordinates.append(objectsIn: [place.1, place.0])
          }
        }
        let found = realm.objects(Beacon.self).where { $0.geoWithin(polygon) }.map(\.name)
        #expect(found == ["0.0", "0.5", "0.95"], "\(latitude) \(longitude) \(radius) \(random)")
        let center = try #require(GeoPoint(latitude: latitude, longitude: longitude))
        let circle = GeoCircle(center: center, radius: try #require(.degrees(radius)))
        #expect(
          realm.objects(Beacon.self).where { $0.geoWithin(circle) }.map(\.name) == found,
          "\(random)")
      }
    }
  }

  /// The destination of a great-circle path with the given distance and bearing; all in degrees.
  private static func destination(
    _ latitude: Double, _ longitude: Double, _ distance: Double, _ bearing: Double
  ) -> (Double, Double) {
    let (a, d, b) = (latitude * .pi / 180, distance * .pi / 180, bearing * .pi / 180)
    let end = asin(sin(a) * cos(d) + cos(a) * sin(d) * cos(b))
    let turn = atan2(sin(b) * sin(d) * cos(a), cos(d) - sin(a) * sin(end))
    let east = (longitude + turn * 180 / .pi + 540).truncatingRemainder(dividingBy: 360) - 180
    return (end * 180 / .pi, east)
  }
}
