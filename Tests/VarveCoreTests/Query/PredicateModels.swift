import VarveCore
import VarveEncoding

/// The classes that the predicates of the tests query. `PredicateFuzzTests` of the library defines
/// the same classes as models.
enum PredicateModels {
  static let breeder: ClassDescription = {
    let classes = Classes()
    classes.all = [
      ClassDescription(
        name: "Breeder", properties: breederProperties, isEmbedded: false, modelIndex: 1_000_001,
        isDynamic: true, linkedClasses: { classes.all }),
      ClassDescription(
        name: "Hound",
        properties: [
          property("name", .string), property("age", .int64), property("weight", .double),
          property("keeper", .link, target: "Breeder", isNullable: true),
          property("toys", .string, .list),
          linking("keepers", to: "Breeder", "hounds"),
        ], isEmbedded: false, modelIndex: 1_000_002, isDynamic: true,
        linkedClasses: { classes.all }),
      ClassDescription(
        name: "Lair",
        properties: [property("type", .string), property("coordinates", .double, .list)],
        isEmbedded: true, modelIndex: 1_000_003, isDynamic: true),
    ]
    return classes.all[0]
  }()

  private final class Classes: @unchecked Sendable {
    // Safe because it is set before any other code reads it.
    var all: [ClassDescription] = []
  }

  private static var breederProperties: [PropertyDescription] {
    [
      property("id", .int64), property("name", .string),
      property("nick", .string, isNullable: true),
      property("full_name", .string, alias: "fullName"), property("age", .int64),
      property("height", .double), property("ratio", .float), property("price", .decimal128),
      property("isMember", .bool), property("born", .date, isNullable: true),
      property("key", .uuid), property("token", .objectId), property("photo", .data),
      property("anything", .mixed),
      property("best", .link, target: "Breeder", isNullable: true),
      property("spot", .link, target: "Lair", isNullable: true),
      property("hounds", .link, .list, target: "Hound"),
      property("scores", .int64, .list, isNullable: true), property("tags", .string, .set),
      property("byName", .link, .dictionary, target: "Hound", isNullable: true),
      property("rates", .double, .dictionary), property("text", .string),
      property("limit", .int64), linking("admirers", to: "Breeder", "best"),
    ]
  }

  private static func property(
    _ name: String, _ type: PropertyType, _ collection: CollectionKind = .none,
    target: String? = nil, isNullable: Bool = false, alias: String? = nil
  ) -> PropertyDescription {
    PropertyDescription(
      name: name, alias: alias,
      kind: PropertyKind(type: type, collection: collection, isNullable: isNullable),
      targetClassName: target)
  }

  private static func linking(
    _ name: String, to className: String, _ origin: String
  ) -> PropertyDescription {
    PropertyDescription(
      name: name, kind: PropertyKind(type: .link, collection: .list), targetClassName: className,
      originPropertyName: origin)
  }
}
