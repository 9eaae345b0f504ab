import Varve

enum PalletRank: String, PersistableEnum, Codable { case low, high }

/// A class with properties of every kind.
@Model final class Pallet: Object, Codable {
  @Persisted(primaryKey: true) var name: String
  @Persisted var summary: String
  @Persisted var hits = 0
  @Persisted var note: String?
  @Persisted var rank = PalletRank.low
  @Persisted var count: RealmProperty<Int?>
  @Persisted var warmth: Warmth
  @Persisted var tags: List<String>
  @Persisted var labels: MutableSet<String>
  @Persisted var fields: Map<String, Int>
  @Persisted var limits: Map<String, Int?>
  @Persisted var degrees: Map<String, Warmth>
  @Persisted var extra: AnyRealmValue
  @Persisted var extras: Map<String, AnyRealmValue>
  @Persisted var size: PalletSize?
  @Persisted var sizes: List<PalletSize>
  @Persisted var sizesByName: Map<String, PalletSize?>
  @Persisted var best: Pallet?
  @Persisted var depends: List<Pallet>
  @Persisted var byRole: Map<String, Pallet?>
  @Persisted var friends: MutableSet<Pallet>
  @Persisted var maker: PalletMaker?
  @Persisted var memo: PalletMemo?

  override class func propertiesMapping() -> [String: String] { ["summary": "text"] }

  private enum CodingKeys: String, CodingKey {
    case name, summary, hits, rank, count, warmth, tags, labels, fields, limits, degrees, extra
    case extras, size, sizes, best, depends, friends, maker, memo
    case note = "the_note"
    case sizesByName = "sizes_by_name"
    case byRole = "by_role"
  }
}

@Model final class PalletSize: EmbeddedObject, Codable {
  @Persisted var width: Int
  @Persisted var height: Int
  @Persisted var unit = "cm"
  @Persisted var lid: PalletLid?
  @Persisted var measuredBy: PalletMaker?
}

@Model final class PalletLid: EmbeddedObject, Codable {
  @Persisted var color: String
  @Persisted var isOpen = false
}

@Model final class PalletMaker: Object, Codable {
  @Persisted(primaryKey: true) var mail: String
  @Persisted var title: String
  @Persisted(unique: true) var badge: Int?
  @Persisted var born = 1900
  @Persisted var made: List<Pallet>
}

/// A class without a primary key.
@Model final class PalletMemo: Object, Codable {
  @Persisted var text: String
}

/// A class with generated keys.
@Model final class PalletLog: Object, Codable {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted var text: String
  @Persisted var level = 3
  @Persisted var next: PalletLog?
}

@Model class PalletWagon: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var wheels = 4
  @Persisted var plate: String?
}

@Model final class PalletTruck: PalletWagon {
  @Persisted var load: Int?
}
