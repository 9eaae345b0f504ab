import Foundation
import Varve

@Model final class Home: EmbeddedObject, Codable {
  @Persisted var street: String
  @Persisted(indexed: true) var city: String?
  @Persisted var notes: String?
  @Persisted var rooms: List<Room>
  @Persisted var keeper: Tenant?
  @Persisted(originProperty: "homes") var tenants: LinkingObjects<Tenant>
}

@Model final class Room: EmbeddedObject, Codable {
  @Persisted var name: String
  @Persisted var size: Int
  @Persisted var lamp: Lamp?
  @Persisted var lamps: Map<String, Lamp?>
  @Persisted(originProperty: "rooms") var homes: LinkingObjects<Home>
}

@Model final class Lamp: EmbeddedObject, Codable {
  @Persisted var watts: Int
  @Persisted var maker: String?
}

@Model final class Tenant: Object, Codable {
  @Persisted(primaryKey: true) var name: String
  @Persisted var home: Home?
  @Persisted var homes: List<Home>
  @Persisted var byName: Map<String, Home?>
}

/// An embedded class without `@Model`.
final class Pocket: EmbeddedObject, @unchecked Sendable {
  @Persisted var coins: List<Int>
}

@Model final class Coat: Object {
  @Persisted var left: Pocket?
  @Persisted var right: Pocket?
}

// Invalid declarations.

@Model final class KeyedPocket: EmbeddedObject {
  @Persisted(primaryKey: true) var id: Int
}

@Model final class KeyedCoat: Object {
  @Persisted var pocket: KeyedPocket?
}

@Model final class SetCoat: Object {
  @Persisted var pockets: MutableSet<Pocket>
}

@Model final class MapCoat: Object {
  @Persisted var pockets: Map<String, Pocket>
}

/// A tree whose branches embed branches, in every kind of property and through another class.
@Model final class Tree: Object, Codable {
  @Persisted(primaryKey: true) var name: String
  @Persisted var stem: Branch?
  @Persisted var branches: List<Branch>
}

@Model final class Branch: EmbeddedObject, Codable {
  @Persisted var name: String
  @Persisted var next: Branch?
  @Persisted var branches: List<Branch>
  @Persisted var byName: Map<String, Branch?>
  @Persisted var nest: Nest?
  @Persisted(originProperty: "branches") var parents: LinkingObjects<Branch>
}

@Model final class Nest: EmbeddedObject, Codable {
  @Persisted var twigs: List<Branch>
}

/// Embeds an object that links back to it, which is not a cycle of embedded objects.
@Model final class Owner: Object {
  @Persisted var badge: Badge?
}

@Model final class Badge: EmbeddedObject {
  @Persisted var owner: Owner?
}

extension Home {
  static func at(_ street: String, rooms: [String] = []) -> Home {
    Home(value: [
      "street": street, "city": "Town",
      "rooms": rooms.map { ["name": $0, "lamp": ["watts": 40]] as [String: Any] },
    ])
  }
}

extension Tenant {
  static func named(_ name: String, _ home: Home? = nil) -> Tenant {
    let tenant = Tenant(value: ["name": name])
    tenant.home = home
    return tenant
  }
}
