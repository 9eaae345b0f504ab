import Foundation
import Glibc
import Synchronization
import Varve
import VarveLocks

/// The values that the defaults of these models name.
enum AddedDefault {
  static let limit = 42
  private static let counter = Atomic<Int>(1_000)
  static func nextNumber() -> Int { counter.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension AddedDefault {
  static func sizes() -> Map<String, Int> {
    let sizes = Map<String, Int>()
    sizes["s"] = 1
    return sizes
  }
}

enum AddedMode: String, PersistableEnum { case off, on }

/// The release of a program before it declares the properties. `Tests/VarveTestProcess` has the
/// same class.
enum BeforeDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
  }
}

/// The next release: defaults that are the same each time.
enum ConstantDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted(indexed: true) var minutes = 5 * 60
    @Persisted var limit = AddedDefault.limit
    @Persisted var price: Decimal128 = Decimal128("2.5")
    @Persisted var mode: AddedMode? = .on
    @Persisted var plainMode = AddedMode.on
    @Persisted var any: AnyRealmValue = .int(4)
    @Persisted var data = Data([1])
    @Persisted var maybe: Data? = Data([2])
    @Persisted var ratio = 1.0 / 4
    @Persisted var share = Float(1) / 8
    @Persisted var small = Int8(3)
    @Persisted var flag = !false
    @Persisted var label = "a" + "b"
    @Persisted var text: String? = ["c", "d"].joined()
    @Persisted var day = Date(timeIntervalSince1970: 86_400)
    @Persisted var heat = Celsius(degrees: 21)
    @Persisted var owner: UUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  }
}

/// The next release: a default for each object, in every type that has a mark.
enum ObjectDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted(indexed: true) var token = UUID()
    @Persisted var created = Date()
    @Persisted var serial = ObjectId.generate()
    @Persisted(indexed: true) var number = AddedDefault.nextNumber()
    @Persisted var code = UUID().uuidString
    @Persisted var bytes = Data(UUID().uuidString.utf8)
    @Persisted var weight = Double.random(in: 1..<2)
    // Counted: among thousands of random floats, two are equal.
    @Persisted var share = Float(AddedDefault.nextNumber())
    @Persisted var sum = Decimal128(AddedDefault.nextNumber())
    @Persisted var stamp: UUID? = UUID()
    @Persisted var any: AnyRealmValue = .uuid(UUID())
    @Persisted var heat = Celsius(degrees: .random(in: 1..<2))
    @Persisted var dice = Int16.random(in: 1...3_000)
    @Persisted var undeclared: UUID
  }
}

extension ObjectDefaults.Voucher {
  /// The values of all defaults, as text.
  var made: [String] {
    [
      "\(token)", "\(created.timeIntervalSinceReferenceDate)", "\(serial)", "\(number)", code,
      "\(bytes.base64EncodedString())", "\(weight)", "\(share)", "\(sum)", "\(stamp as UUID?)",
      "\(any)", "\(heat.degrees)", "\(undeclared)",
    ]
  }

  /// Some of the values, read by name.
  var madeByName: [String] {
    ["token", "number", "code"].map { name in self[name].map { "\($0)" } ?? "nil" }
  }
}

/// A later release with a unique property.
enum UniqueDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted(unique: true) var code = UUID().uuidString
  }
}

/// A later release in which properties with such defaults are optional.
enum OptionalDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var created: Date?
    @Persisted(indexed: true) var number: Int?
    @Persisted var code: String?
  }
}

/// A later release in which each property is stored under the name of the other.
enum SwappedDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var code = UUID().uuidString
    @Persisted var rank = "\(AddedDefault.nextNumber())"

    override class func propertiesMapping() -> [String: String] {
      ["code": "rank", "rank": "code"]
    }
  }
}

/// A later release with a default that reads the store.
enum ReadingDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var rank: Int = ReadingDefaults.nextRank()
    @Persisted var any: AnyRealmValue = .int(ReadingDefaults.nextRank())
  }

  static let configuration = Lock<Realm.Configuration?>(nil)

  /// One more than the number of objects, in a store of the test; registers the class itself.
  static func nextRank() -> Int {
    guard let configuration = configuration.withLock({ $0 }),
      let realm = try? Realm(configuration: configuration)
    else { return 0 }
    return realm.objects(Voucher.self).count + AddedDefault.nextNumber()
  }
}

/// A later release with a default that another object may have already.
enum TakenDefaults {
  @Model(unique: [["name", "rank"]])
  final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var rank: Int = AddedDefault.nextNumber() % 2
  }
}

/// A later release with a link.
enum LinkedDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var token = UUID()
    @Persisted var shop: Shop?
  }
  @Model final class Shop: Object {
    @Persisted var name: String
    @Persisted(originProperty: "shop") var vouchers: LinkingObjects<Voucher>
  }
}

/// The release before it declares the properties of an embedded class.
enum BeforeNested {
  @Model final class Parcel: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var tag: Tag?
    @Persisted var tags: List<Tag>
  }
  @Model final class Tag: EmbeddedObject {
    @Persisted var label: String
  }
}

/// The next release.
enum NestedDefaults {
  @Model final class Parcel: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var tag: Tag?
    @Persisted var tags: List<Tag>
  }
  @Model final class Tag: EmbeddedObject {
    @Persisted var label: String
    @Persisted var stamp = UUID()
    @Persisted var any: AnyRealmValue = .uuid(UUID())
  }
}

/// A later release with a default that is found by its words.
enum SearchedDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted(fullText: true) var note = "code " + UUID().uuidString
  }
}

/// A later release with a default that opens another store.
enum OpeningDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var rank: Int = OpeningDefaults.nextRank()
  }

  static let other = Lock<Realm.Configuration?>(nil)
  static let opened = Lock(0)

  static func nextRank() -> Int {
    guard let configuration = other.withLock({ $0 }) else { return AddedDefault.nextNumber() }
    opened.withLock { $0 += 1 }
    usleep(1_000)
    return (try? Realm(configuration: configuration)) == nil ? 0 : AddedDefault.nextNumber()
  }
}

/// A later release with times that are not dates.
enum TimeDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var seconds = Int(Date().timeIntervalSince1970)
    @Persisted var milliseconds = Int(Date().timeIntervalSince1970 * 1_000)
    @Persisted var reference = Date().timeIntervalSinceReferenceDate.rounded()
    @Persisted var text = Date().ISO8601Format()
    @Persisted var fractional = Date().ISO8601Format(.init(includingFractionalSeconds: true))
    @Persisted var constant = 1_000_000_000
    @Persisted var constantText = "2001-09-09T01:46:40Z".lowercased().uppercased()
  }
}

/// A later release with defaults that no class record can contain.
enum ContentDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var tags: List<String> = List(["new", "unread"])
    @Persisted var sizes: Map<String, Int> = AddedDefault.sizes()
    @Persisted var marks: MutableSet<Int> = MutableSet([7])
    @Persisted var place: Place? = Place(value: ["city": "Bern"])
    @Persisted var empty: List<Int> = List()
  }
  @Model final class Place: EmbeddedObject {
    @Persisted var city: String
  }
}

/// The properties as a release of Varve stored them that knew constants of literals only.
enum ZeroDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var minutes: Int
    @Persisted var created: Date
    @Persisted var mode: AddedMode?
  }
}

/// The same properties with their defaults.
enum RestatedDefaults {
  @Model final class Voucher: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var minutes = 5 * 60
    @Persisted var created = Date()
    @Persisted var mode: AddedMode? = .on
  }
}
