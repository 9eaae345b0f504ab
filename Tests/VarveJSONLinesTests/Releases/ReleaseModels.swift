import Foundation
import Varve

/// The classes of the store of version 0.1.0. They never change.
enum Release0_1_0 {
  enum State: String, PersistableEnum { case draft, printed }

  /// The classes before a migration, which renames a property, and removes a property and a class.
  enum Early {
    @Model final class ArchivedNote: Object {
      @Persisted(fullText: true) var text: String
      @Persisted var level = 7
      @Persisted var removed = "removed"
    }
    @Model final class ArchivedGone: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var numbers: List<Int>
    }
    static let types: [ObjectBase.Type] = [ArchivedNote.self, ArchivedGone.self]
  }

  /// A class without a primary key.
  @Model final class ArchivedNote: Object {
    @Persisted(fullText: true) var text: String
    @Persisted var next: ArchivedNote?
    @Persisted var rank = 7
  }

  /// A class with a property of each type, each kind of index, and a generated key.
  @Model(indexes: [["year", "title"]], unique: [["shelf", "place"]])
  final class ArchivedBook: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int
    @Persisted(indexed: true) var title: String
    @Persisted var year = 0
    @Persisted var shelf: String?
    @Persisted var place = 0
    @Persisted(unique: true) var code: String?
    @Persisted(fullText: true) var text: String?

    @Persisted var isOpen: Bool
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted(indexed: true) var int32: Int32?
    @Persisted var int64: Int64
    @Persisted var float: Float
    @Persisted(indexed: true) var isSold: Bool?
    @Persisted(indexed: true) var double: Double?
    @Persisted(indexed: true) var decimal: Decimal128
    @Persisted(indexed: true) var date: Date?
    @Persisted(indexed: true) var uuid: UUID?
    @Persisted(indexed: true) var objectId: ObjectId
    @Persisted(indexed: true) var state: State
    @Persisted(indexed: true) var anything: AnyRealmValue
    @Persisted(indexed: true) var data: Data?

    @Persisted var author: ArchivedAuthor?
    @Persisted var cover: ArchivedPage?
    @Persisted var pages: List<ArchivedPage>
    @Persisted var pagesByName: Map<String, ArchivedPage?>

    @Persisted var numbers: List<Int>
    @Persisted var words: List<String?>
    @Persisted var mixed: List<AnyRealmValue>
    @Persisted var authors: List<ArchivedAuthor>
    @Persisted var decimals: List<Decimal128>
    @Persisted var small: List<Int8?>
    @Persisted var dates: MutableSet<Date>
    @Persisted var ids: MutableSet<UUID>
    @Persisted var blobs: MutableSet<Data>
    @Persisted var amounts: MutableSet<Decimal128>
    @Persisted var flags: MutableSet<Bool>
    @Persisted var tags: MutableSet<String>
    @Persisted var sizes: MutableSet<Double?>
    @Persisted var mixedSet: MutableSet<AnyRealmValue>
    @Persisted var readers: MutableSet<ArchivedAuthor>
    @Persisted var counts: Map<String, Int?>
    @Persisted var byRole: Map<String, ArchivedAuthor?>
    @Persisted var notes: Map<String, AnyRealmValue>
  }

  @Model final class ArchivedAuthor: Object {
    @Persisted(primaryKey: true) var name: String?
    @Persisted(originProperty: "author") var books: LinkingObjects<ArchivedBook>
  }

  @Model final class ArchivedPage: EmbeddedObject {
    @Persisted var width: Int
    @Persisted var artist: ArchivedAuthor?
    @Persisted var inner: ArchivedPage?
    @Persisted var lines: List<String>
  }

  static let types: [ObjectBase.Type] = [
    ArchivedNote.self, ArchivedBook.self, ArchivedAuthor.self, ArchivedPage.self,
  ]
}
