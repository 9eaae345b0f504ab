import Varve

/// A class with generated keys. The second test process declares the same class.
@Model final class Ticket: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted var title = ""

  convenience init(_ title: String) {
    self.init()
    self.title = title
  }
}

/// Records the assigned keys of tickets: each once, since it is a primary key.
@Model final class TakenKey: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var process: Int
}

/// Links to other objects of its class.
@Model final class Twig: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
  @Persisted var name = ""
  @Persisted var parent: Twig?
  @Persisted var twigs: List<Twig>
  @Persisted var named: Map<String, Twig?>
  @Persisted var tickets: MutableSet<Ticket>

  convenience init(_ name: String, _ id: Int = 0) {
    self.init()
    self.name = name
    self.id = id
  }
}

/// Classes without links and collections.
enum Narrow {
  @Model final class Int8_: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int8
  }
  @Model final class Int16_: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int16
  }
  @Model final class Int32_: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int32
  }
  @Model final class Int64_: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var id: Int64
    @Persisted var note: AnyRealmValue
  }
}

/// A custom key type.
struct InvoiceNumber: CustomPersistable, Codable {
  var number: Int
  init(_ number: Int) { self.number = number }
  init(persistedValue: Int) { number = persistedValue }
  var persistableValue: Int { number }
}

@Model final class Invoice: Object, Codable {
  @Persisted(primaryKey: true, autoIncrement: true) var number: InvoiceNumber
  @Persisted var text = ""
}

@Model final class Note_: Object, Codable {
  @Persisted(primaryKey: true, autoIncrement: true) var id = 0
  @Persisted var text: String
}

/// A class with a generated key, and a subclass that inherits the key and has its own counter.
@Model class Document_: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var id: Int
}
@Model final class Report_: Document_ {
  @Persisted var text = ""
}
