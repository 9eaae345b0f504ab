import Varve

/// Runs the body with a reopened store that contains objects of `Release2` and `ShelfShop`.
func withStoredShelf(_ body: (Realm, TemporaryRealm) throws -> Void) throws {
  try withTemporaryRealm { realm, store in
    try realm.write {
      let maker = realm.create(Release2.Maker.self, value: ["name": "ACME"])
      let gadget = realm.create(
        Release2.Gadget.self, value: ["id": 1, "name": "G", "size": 7, "maker": maker])
      gadget.notes.append("note")
      let shelf = realm.create(ShelfShop.Shelf.self, value: ["number": 1, "best": gadget])
      shelf.gadgets.append(gadget)
      shelf.byName["G"] = gadget
    }
    try store.close()
    try body(try store.open(), store)
  }
}

/// A class that links to `Gadget` in each way.
enum ShelfShop {
  @Model final class Shelf: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var label = "s"
    @Persisted var best: Release2.Gadget?
    @Persisted var gadgets: List<Release2.Gadget>
    @Persisted var byName: Map<String, Release2.Gadget?>
  }
}

/// The same class, linking to a class that does not match the file.
enum MismatchShop {
  @Model final class Shelf: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var label = "s"
    @Persisted var best: Mismatch.Gadget?
    @Persisted var gadgets: List<Mismatch.Gadget>
    @Persisted var byName: Map<String, Mismatch.Gadget?>
  }
}

/// The same class, with a property of another type.
enum OtherShop {
  @Model final class Shelf: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var label: Int
  }
}
