import Foundation
import Varve

/// One class in several releases of a program: each declaration is for the stored class `Gadget`.
enum Release1 {
  @Model final class Gadget: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var size = 0
  }
}

enum Release2 {
  @Model final class Gadget: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var size = 0
    @Persisted(indexed: true) var color = "grey"
    @Persisted var rating: Double?
    @Persisted var token = UUID()
    @Persisted(indexed: true) var serial = ObjectId.generate()
    @Persisted var kind = GadgetKind.tool
    @Persisted var notes: List<String>
    @Persisted var labels: Map<String, Int>
    @Persisted var maker: Maker?
    @Persisted var photo: Data
    @Persisted var made: Date
    @Persisted var isNew = true
  }

  @Model final class Maker: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted(originProperty: "maker") var gadgets: LinkingObjects<Gadget>
  }
}

enum GadgetKind: String, PersistableEnum { case toy, tool }

/// The same properties as before, with a changed default.
enum Release3 {
  @Model final class Gadget: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var color = "black"
    @Persisted var size = 99
  }
}

/// Declarations that do not match the stored classes.
enum Mismatch {
  @Model final class Gadget: Object {
    @Persisted var id: Int
    @Persisted(primaryKey: true) var name: String
    @Persisted var size: String
    @Persisted var color: String?
    @Persisted var notes: List<Int>
    @Persisted var labels: List<Int>
    @Persisted var maker: Gadget?
  }

  @Model final class Maker: Object {
    @Persisted var name: Int
    @Persisted(primaryKey: true) var number: Int
  }
}

/// Class names equal to names that other parts of a file use.
@Model final class lists: Object { @Persisted var number = 0 }
@Model final class catalog: Object {
  @Persisted var other: lists?
  @Persisted var many: List<blobs>
}
@Model final class blobs: Object { @Persisted var text = "" }
