/// Declares a model class, whose `@Persisted` properties are stored in a realm.
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
/// The macro adds the schema and a `Sendable` conformance.
///
/// A class that conforms to `Codable`, `Decodable` or `Encodable`, in its declaration, in an
/// extension or through another protocol, is coded with its persisted properties. The coding keys
/// are the names of the properties, or those of a type `CodingKeys` that the class or an extension
/// of it declares; a property that has no key there is not coded. A class that is not final and
/// whose declaration itself lists the conformance gets members `init(from:)` and `encode(to:)`,
/// which subclasses can override. See <doc:CodableObjects>.
///
/// Properties without `@Persisted` are ordinary properties: they are not stored, and access to them
/// is not synchronized.
///
/// ## Memberwise initializers
///
/// A class that inherits directly from ``Object`` or ``EmbeddedObject`` gets an initializer with a
/// parameter for each persisted property:
///
/// ```swift
/// let dog = Dog(id: .generate(), name: "Rex", toys: [ball])
/// ```
///
/// As in structures, the parameter of a property that is neither optional nor has a default is
/// required. Lists, sets and maps are arrays, sets and dictionaries, empty by default. A default
/// that is not a literal is evaluated for each object for which the parameter is nil. An optional
/// property with such a default has a required parameter, in which nil is null. In a class that
/// overrides `init()` or `defaultPropertyValues()`, all defaults are such: a parameter that is not
/// given keeps the value that these set, and an optional property has a required parameter. A
/// property whose type the declaration does not state, as in `var priority = Priority.low`, is not
/// a parameter and keeps its default; the compiler remarks on it. State the type, unless the
/// default is a literal, a `Date(…)`, `UUID()`, `Data()` or `ObjectId.generate()`. Linking objects
/// are no parameter. The `willSet` and `didSet` of the properties do not run.
///
/// The initializer is as visible as the least visible property. There is none if a property is
/// private or inside `#if`, if a call could have `value` as its only argument, and if the body of
/// the class declares an initializer other than `init()` and `init(from:)`. An extension that
/// declares an initializer with the same labels does not compile: remove it, or declare the class
/// `@Model(memberwise: false)`.
///
/// A class that inherits directly from ``Object`` and does not override `init()` also has a nested
/// structure `New` with these parameters, unless it is declared `@Model(memberwise: false)`, a
/// property is private, inside `#if` or called `self`, or the class has a member `New`.
/// ``Realm/insert(_:update:)`` stores its values without creating objects. A subclass with `@Model`
/// has none; one without it inherits that of its superclass, whose values are stored as objects of
/// the superclass.
///
/// A class without `@Model` also works, with the same behavior and speed and three differences: the
/// compiler warns that the class “must restate inherited '@unchecked Sendable' conformance”, no
/// memberwise initializers are added, and generic classes and classes declared in an extension look
/// up their properties at each access. Local classes cannot have
/// `@Model`. Classes with and without `@Model` can inherit from each other. A class with `@Model`
/// that inherits from a class without it also looks up its own properties at each access.
@attached(
  member, names: named(_$Slot), named(_$properties), named(_$codingNames), named(init), named(New),
  named(init(from:)), named(encode(to:)))
@attached(extension, conformances: Sendable)
public macro Model() = #externalMacro(module: "VarveMacros", type: "ModelMacro")

/// Declares a model class with compound indexes.
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
/// The names are those of persisted properties that the class itself declares, spelled as in Swift;
/// any other name is a compile-time error. Links and collections cannot be part of an index.
///
/// - Parameters:
///   - indexes: The properties of each index, in the order in which the index sorts by them.
///   - unique: The properties of each unique index. No two objects can have the same values for
///     these properties, except when one of the values is nil.
///   - memberwise: Whether the class has the memberwise initializer and the structure `New`; see
///     ``Model()``. Where `true` is stated and the class cannot have its initializer, this is a
///     compile-time error.
@attached(
  member, names: named(_$Slot), named(_$properties), named(_$codingNames), named(_$indexes),
  named(init), named(New), named(init(from:)), named(encode(to:)))
@attached(extension, conformances: Sendable)
public macro Model(indexes: [[String]] = [], unique: [[String]] = [], memberwise: Bool = true) =
  #externalMacro(module: "VarveMacros", type: "ModelMacro")

/// Stores a property of a model class in a realm.
///
/// `willSet` and `didSet` run at each assignment through the property. Unlike the observers of a
/// stored property, they also run in the initializers of the class that declares them.
///
/// A property can be assigned only after `super.init()`.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted() = #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, as its primary key.
///
/// - Parameter primaryKey: Whether the property is the primary key. A class has at most one.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(primaryKey: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, as its primary key, which is generated
/// automatically.
///
/// ```swift
/// @Model final class Ticket: Object {
///   @Persisted(primaryKey: true, autoIncrement: true) var id: Int
///   @Persisted var title: String
/// }
/// ```
///
/// The key is 0 until the object is added. The object then receives the next key inside the write:
/// 1 in a new store, and otherwise one more than the greatest key that an object of the class has
/// ever had, even if that object has been deleted. A key other than 0 that is set explicitly is
/// stored unchanged, and later keys are greater. 0 cannot be set as a key.
///
/// A write that is rolled back releases its keys, and the next write generates them again, so a key
/// is final when its write is committed. Keys of committed writes are never generated twice,
/// regardless of the thread, task or process that adds the objects.
///
/// The type of the property is `Int`, `Int8`, `Int16`, `Int32` or `Int64`, not optional, or a
/// ``CustomPersistable`` type that is stored as one. When the greatest number of the type has been
/// used, a write that adds an object without a key fails with ``Realm/Error/Code/valueTooLarge``.
///
/// See <doc:PrimaryKeys>.
///
/// - Parameters:
///   - primaryKey: Whether the property is the primary key. Only a primary key can be
///     auto-incremented.
///   - autoIncrement: Whether objects added without a key receive the next key.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(primaryKey: Bool = false, autoIncrement: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, with an index.
///
/// - Parameter indexed: Whether the property has an index, which speeds up queries that compare its
///   values or sort by them.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(indexed: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, as its primary key and with an index.
///
/// - Parameters:
///   - primaryKey: Whether the property is the primary key. A class has at most one.
///   - indexed: Whether the property has an index. A primary key always has one.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(primaryKey: Bool, indexed: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a property of a model class in a realm, with a unique index.
///
/// A write that sets a value that another object already has fails with
/// ``Realm/Error/Code/duplicateValue``. Several objects may have nil.
///
/// - Parameter unique: Whether no two objects can have the same value.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(unique: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a string property of a model class in a realm, with a full-text index.
///
/// - Parameter fullText: Whether the property has a full-text index.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(fullText: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a string property of a model class in a realm, with an index of its values and a
/// full-text index.
///
/// - Parameters:
///   - indexed: Whether the property has an index of its values.
///   - fullText: Whether the property has a full-text index.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(indexed: Bool, fullText: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Stores a string property of a model class in a realm, with a unique index and a full-text index.
///
/// - Parameters:
///   - unique: Whether no two objects can have the same value.
///   - fullText: Whether the property has a full-text index.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(unique: Bool, fullText: Bool) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")

/// Declares a read-only property of type ``LinkingObjects``: the objects that link to this one.
///
/// - Parameter originProperty: The name of the property of the other class that links to this
///   class.
@attached(accessor)
@attached(peer, names: prefixed(_$P_), prefixed(_$f_), prefixed(_$s_))
public macro Persisted(originProperty: String) =
  #externalMacro(module: "VarveMacros", type: "PersistedMacro")
