/// Makes a class a model: its `@Persisted` properties are stored in a realm.
///
/// ```swift
/// @Model final class Dog: Object {
///   @Persisted(primaryKey: true) var id: ObjectId
///   @Persisted(indexed: true) var name: String
///   @Persisted var age = 0
///   @Persisted var toys: List<Toy>
/// }
/// ```
///
/// The macro adds the schema, a `Sendable` conformance and, where the class declares `Codable`,
/// `Decodable` or `Encodable` and brings no implementation, `init(from:)` and `encode(to:)`. The
/// keys are the names of the properties, or what a nested `CodingKeys` enumeration says; a property
/// that is not listed there is not coded.
///
/// Properties without `@Persisted` are ordinary ones: not stored, and not guarded against races.
///
/// A class without `@Model` works too, in the same way and at the same speed, with three
/// differences: the compiler warns that the class “must restate inherited '@unchecked Sendable'
/// conformance”, no `Codable` members are made, and generic classes and those declared in an
/// extension look their properties up at each access. Local classes take no `@Model` at all.
/// Classes with and without it may inherit from each other; one with `@Model` above which one
/// without it stands looks its own properties up at each access.
@attached(
  member, names: named(_$Slot), named(_$properties), named(init(from:)), named(encode(to:)))
@attached(extension, conformances: Sendable)
public macro Model() = #externalMacro(module: "VarveMacros", type: "ModelMacro")

/// Makes a class a model, with indexes over several of its properties.
///
/// ```swift
/// @Model(indexes: [["lastName", "firstName"]], unique: [["country", "number"]])
/// final class Person: Object {
///   @Persisted var firstName = ""
///   @Persisted var lastName = ""
///   @Persisted var country = ""
///   @Persisted var number = 0
/// }
/// ```
///
/// The names are those of persisted properties that the class itself declares, in Swift's spelling; another
/// one is an error of the compiler. Links and collections cannot be in an index.
///
/// - Parameters:
///   - indexes: Lists of properties whose values, in this order, are kept in order.
///   - unique: The same, of which no two objects have the same values. Objects with a nil among them do not
///     count: there may be several.
@attached(
  member, names: named(_$Slot), named(_$properties), named(_$indexes), named(init(from:)),
  named(encode(to:)))
@attached(extension, conformances: Sendable)
public macro Model(indexes: [[String]] = [], unique: [[String]] = []) =
  #externalMacro(module: "VarveMacros", type: "ModelMacro")

/// Stores a property of a model class in a realm.
///
/// `willSet` and `didSet` run at every assignment by way of the property. Unlike those of a stored
/// property they also run in the initialisers of the class that declares them.
///
/// A property can be assigned after `super.init()` only.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted() = #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, as its primary key.
///
/// - Parameter primaryKey: Whether the property is the primary key. A class has one at most.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(primaryKey: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, as its primary key, which the store generates.
///
/// ```swift
/// @Model final class Ticket: Object {
///   @Persisted(primaryKey: true, autoIncrement: true) var id: Int
///   @Persisted var title: String
/// }
/// ```
///
/// An object has the key 0 until it is added. It then gets the next one: 1 in a new store, and always one more than the
/// greatest that an object of the class has ever had, also one that was deleted since. The object has it as soon as
/// it is added, inside the write. A key that is given and not 0 is stored as it is, and later ones are greater; 0
/// cannot be given.
///
/// A write that is rolled back gives its keys back: the next one generates them again, so that a key is final when its
/// write is committed. Those of committed writes are never given twice, whichever thread, task or process
/// adds the objects.
///
/// The property is an `Int`, `Int8`, `Int16`, `Int32` or `Int64` that is not optional, or a ``CustomPersistable`` type that
/// is stored as one. When the greatest number of the type has been used, a write that adds an object without a
/// key fails with ``Realm/Error/Code/valueTooLarge``.
///
/// See <doc:PrimaryKeys>.
///
/// - Parameters:
///   - primaryKey: Whether the property is the primary key. Only a primary key is auto-incremented.
///   - autoIncrement: Whether objects that are added without a key get the next one.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(primaryKey: Bool = false, autoIncrement: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, with an index.
///
/// - Parameter indexed: Whether the values are kept in order, for queries that compare them or sort by them.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(indexed: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, as its primary key and with an index.
///
/// - Parameters:
///   - primaryKey: Whether the property is the primary key. A class has one at most.
///   - indexed: Whether the property has an index; a primary key has one in any case.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(primaryKey: Bool, indexed: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, each value in one object only.
///
/// A write fails with `duplicateValue` that gives an object the value of another one. Several objects may have nil.
///
/// - Parameter unique: Whether no two objects have the same value.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(unique: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a string of a model class in a realm, with an index of its words.
///
/// - Parameter fullText: Whether the words have an index.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(fullText: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a string of a model class in a realm, with an index of its values and one of its words.
///
/// - Parameters:
///   - indexed: Whether the property has an index of its values.
///   - fullText: Whether the words have an index.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(indexed: Bool, fullText: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a string of a model class in a realm, each value in one object only, with an index of its words.
///
/// - Parameters:
///   - unique: Whether no two objects have the same value.
///   - fullText: Whether the words have an index.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(unique: Bool, fullText: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Finds the objects that link to this one; the property's type is `LinkingObjects`.
///
/// The property can be read only.
///
/// - Parameter originProperty: The name of the property, of the other class, that links to this
///   one.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(originProperty: String) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")
