import Foundation
import Varve

enum ParcelKind: String, PersistableEnum { case tiny, large }

/// One property of each type.
@Model final class Parcel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var flag: Bool
  @Persisted var small: Int8
  @Persisted var medium: Int32
  @Persisted var maybe: Int?
  @Persisted var ratio = 1.0
  @Persisted var share: Float
  @Persisted var when: Date
  @Persisted var raw: Data
  @Persisted var uuid: UUID
  @Persisted var oid: ObjectId
  @Persisted var kind: ParcelKind
  @Persisted var maybeTitle: String?
  @Persisted var tags: List<String>
  @Persisted var sizes: List<Int>
  @Persisted var maybeSizes: List<Int?>
  @Persisted var kinds: List<ParcelKind>
  @Persisted var prices: Map<String, Double>
  @Persisted var item: Item?
  @Persisted var items: List<Item>
}

/// String keys in every position: primary key, index and map key.
@Model final class KeyedRow: Object {
  @Persisted(primaryKey: true) var key: String
  @Persisted(indexed: true) var code: String
  @Persisted var notes: Map<String, String>
}
