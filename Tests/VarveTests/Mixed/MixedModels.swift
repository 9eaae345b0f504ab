import Foundation
import Varve

/// A model with mixed values in every kind of property.
@Model final class MixedBox: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: AnyRealmValue
  @Persisted(indexed: true) var tag: AnyRealmValue
  @Persisted var items: List<AnyRealmValue>
  @Persisted var fields: Map<String, AnyRealmValue>
  @Persisted var kinds: MutableSet<AnyRealmValue>

  convenience init(id: Int, value: AnyRealmValue = .none) {
    self.init()
    self.id = id
    self.value = value
  }
}

/// The target of links in mixed values; no property names the class.
@Model final class Gadget: Object {
  @Persisted var name: String
  @Persisted var weight = 1

  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

/// Links to a crate.
@Model final class MixedShelf: Object {
  @Persisted var crate: MixedBox?
}

enum MixedSample {
  /// Values of every type, including extremes and long values.
  static let scalars: [AnyRealmValue] = [
    .none, .bool(true), .bool(false), .int(0), .int(.min), .int(.max), .float(1.5),
    .float(-.infinity), .double(-0.5), .double(1e300), .string(""), .string("ä\u{0}z"),
    .string(String(repeating: "long ", count: 1_000)), .data(Data()), .data(Data([0, 255])),
    .data(Data(repeating: 7, count: 3_000)), .date(Date(timeIntervalSinceReferenceDate: 0.25)),
    .objectId(ObjectId("0102030405060708090a0b0c")), .uuid(UUID()), .decimal128(12),
    .decimal128(-.infinity),
  ]
}
