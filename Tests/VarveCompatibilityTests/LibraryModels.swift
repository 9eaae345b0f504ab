// swift-format-ignore-file
//
// The models of an app, from a file written for the Realm Swift SDK. Only the import was changed.
// .ci/check-model-file compiles the file again, with `@Model` on each class.

import Foundation
import Varve

enum Genre: String, PersistableEnum, CaseIterable, Codable {
    case novel
    case poetry
    case science = "non-fiction"
}

enum Condition: Int, PersistableEnum {
    case unknown, good, worn
}

/// A type of the app that is stored as a string.
struct ISBN: CustomPersistable, Hashable, Sendable {
    let digits: String

    typealias PersistedType = String

    init(_ digits: String) { self.digits = digits }
    init(persistedValue: String) { digits = persistedValue }
    var persistableValue: String { digits }
}

class Address: EmbeddedObject {
    @Persisted var street: String
    @Persisted var city: String = "Lisboa"
    @Persisted var postalCode: String?
    @Persisted var location: GeoLocation?
    @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
}

class GeoLocation: EmbeddedObject {
    @Persisted var latitude = 0.0
    @Persisted var longitude: Double

    convenience init(latitude: Double, longitude: Double) {
        self.init()
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// The properties that all records have.
class Record: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var createdAt = Date()
}

class Person: Record {
    @Persisted(indexed: true) var name: String = ""
    @Persisted var birthday: Date?
    @Persisted var address: Address?
    @Persisted var formerAddresses: List<Address>
    @Persisted var friends: List<Person>
    @Persisted(originProperty: "friends") var befriendedBy: LinkingObjects<Person>

    /// Not persisted.
    var isSelected = false
    lazy var cache: [String: Int] = [:]

    var initials: String {
        name.split(separator: " ").compactMap(\.first).map(String.init).joined()
    }

    convenience init(name: String, birthday: Date? = nil) {
        self.init()
        self.name = name
        self.birthday = birthday
    }

    override class func propertiesMapping() -> [String: String] {
        ["birthday": "date_of_birth"]
    }
}

class LibraryAuthor: Record {
    @Persisted var name: String
    @Persisted var address: Address?
    @Persisted var penName: String?
    @Persisted var genres: MutableSet<Genre>
    @Persisted(originProperty: "authors") var books: LinkingObjects<LibraryBook>
}

class LibraryBook: Object {
    @Persisted(primaryKey: true) var isbn: String
    @Persisted(indexed: true) var title: String
    @Persisted var subtitle: String?
    @Persisted var genre = Genre.novel
    @Persisted var secondGenre: Genre?
    @Persisted var pages: Int
    @Persisted var edition: Int16 = 1
    @Persisted var printRun: Int32?
    @Persisted var copiesSold: Int64
    @Persisted var rating: Float?
    @Persisted var weight: Double = 0.5
    @Persisted var price: Decimal128
    @Persisted var isAvailable: Bool = true
    @Persisted var publishedAt = Date(timeIntervalSince1970: 0)
    @Persisted var cover: Data?
    @Persisted var uuid: UUID
    @Persisted var authors: List<LibraryAuthor>
    @Persisted var related: MutableSet<LibraryBook>
    @Persisted var keywords: MutableSet<String>
    @Persisted var chapterPages: List<Int>
    @Persisted var remarks: List<String?>
    @Persisted var translations: Map<String, LibraryBook?>
    @Persisted var prices: Map<String, Decimal128>
    @Persisted var stockByShelf: Map<String, Int?>
    @Persisted var warehouses: Map<String, Address?>
    @Persisted var extra: AnyRealmValue
    @Persisted var attributes: Map<String, AnyRealmValue>
    @Persisted var history: List<AnyRealmValue>
    @Persisted var formerISBN: ISBN?
    @Persisted var formerISBNs: List<ISBN>
    @Persisted(originProperty: "book") var loans: LinkingObjects<Loan>

    /// Counts the assignments of the title.
    @Persisted var slug: String = "" {
        didSet { slugChanges += 1 }
    }
    var slugChanges = 0

    convenience init(isbn: String, title: String, authors: [LibraryAuthor] = []) {
        self.init()
        self.isbn = isbn
        self.title = title
        self.authors.append(objectsIn: authors)
    }
}

class Loan: Object {
    @Persisted var id = UUID()
    @Persisted var book: LibraryBook?
    @Persisted var reader: Person?
    @Persisted var due: Date
    @Persisted var condition: Condition
    @Persisted var note: String?
    @Persisted var renewals: Int

    override static func primaryKey() -> String? {
        return "id"
    }

    override static func indexedProperties() -> [String] {
        return ["due"]
    }

    override static func ignoredProperties() -> [String] {
        return ["isOverdue"]
    }

    var isOverdue: Bool { due < Date() }
}
