import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import Testing

struct MemberwiseMacroTests {
  @Test func propertiesBecomeParameters() {
    expectExpansion(
      """
      @Model public final class Dog: Object {
        @Persisted(primaryKey: true) public var id: Int
        @Persisted public var name = "Rex"
        @Persisted public var kind: Kind
        @Persisted public var born: Date = Date()
        @Persisted public var chip: UUID?
        @Persisted public var seen: Date? = Date()
        @Persisted public var toys: List<Toy>
        @Persisted public var tags: MutableSet<String>
        @Persisted public var sizes: Map<String, Int> = Map()
        @Persisted public var made = makeUUID()
        @Persisted(originProperty: "dogs") public var owners: LinkingObjects<Person>
      }
      """,
      """
      public final class Dog: Object {
        public var id: Int {
          get {
            _$get(_$Slot._id._$i)
          }
          set {
            _$set(_$Slot._id._$i, newValue)
          }
        }
        public var name {
          get {
            _$get(_$Slot._name._$i)
          }
          set {
            _$set(_$Slot._name._$i, newValue)
          }
        }
        public var kind: Kind {
          get {
            _$get(_$Slot._kind._$i)
          }
          set {
            _$set(_$Slot._kind._$i, newValue)
          }
        }
        public var born: Date {
          get {
            _$get(_$Slot._born._$i)
          }
          set {
            _$set(_$Slot._born._$i, newValue)
          }
        }
        public var chip: UUID? {
          get {
            _$get(_$Slot._chip._$i)
          }
          set {
            _$set(_$Slot._chip._$i, newValue)
          }
        }
        public var seen: Date? {
          get {
            _$get(_$Slot._seen._$i)
          }
          set {
            _$set(_$Slot._seen._$i, newValue)
          }
        }
        public var toys: List<Toy> {
          get {
            _$get(_$Slot._toys._$i)
          }
          set {
            _$set(_$Slot._toys._$i, newValue)
          }
        }
        public var tags: MutableSet<String> {
          get {
            _$get(_$Slot._tags._$i)
          }
          set {
            _$set(_$Slot._tags._$i, newValue)
          }
        }
        public var sizes: Map<String, Int> {
          get {
            _$get(_$Slot._sizes._$i)
          }
          set {
            _$set(_$Slot._sizes._$i, newValue)
          }
        }
        public var made {
          get {
            _$get(_$Slot._made._$i)
          }
          set {
            _$set(_$Slot._made._$i, newValue)
          }
        }
        public var owners: LinkingObjects<Person> {
          get {
            _$get(_$Slot._owners._$i)
          }
        }

        public nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _id
          case _name
          case _kind
          case _born
          case _chip
          case _seen
          case _toys
          case _tags
          case _sizes
          case _made
          case _owners
          case _$end
          @inlinable public static var _$owner: Varve.ObjectBase.Type {
            Dog.self
          }
          @inlinable public static var _$base: Swift.Int {
            Varve._$slotBase(Object.self, Object._$Slot._$owner, Object._$Slot._$end._$i)
          }
        }

        public override class func _$properties() -> [Varve.PropertyDescriptor] {
          var _$all = Varve._$propertyList(Object.self)
          _$all.reserveCapacity(_$Slot._$end._$i)
          _$all.append(Varve._$prop("id", _$Slot._id._$i, \\Dog.id, primaryKey: true))
          _$all.append(Varve._$prop("name", _$Slot._name._$i, \\Dog.name, default: {
                "Rex"
              }, isConstantDefault: true))
          _$all.append(Varve._$prop("kind", _$Slot._kind._$i, \\Dog.kind))
          _$all.append(Varve._$prop("born", _$Slot._born._$i, \\Dog.born, default: {
                Date()
              }))
          _$all.append(Varve._$prop("chip", _$Slot._chip._$i, \\Dog.chip))
          _$all.append(Varve._$prop("seen", _$Slot._seen._$i, \\Dog.seen, default: {
                Date()
              }))
          _$all.append(Varve._$prop("toys", _$Slot._toys._$i, \\Dog.toys))
          _$all.append(Varve._$prop("tags", _$Slot._tags._$i, \\Dog.tags))
          _$all.append(Varve._$prop("sizes", _$Slot._sizes._$i, \\Dog.sizes, default: {
                Map()
              }))
          _$all.append(Varve._$prop("made", _$Slot._made._$i, \\Dog.made, default: {
                makeUUID()
              }))
          _$all.append(Varve._$prop("owners", _$Slot._owners._$i, \\Dog.owners, originProperty: "dogs"))
          return _$all
        }

        // Errors about this constant follow from another error in the module, and vanish with it.
        @section("varve_models") @used
        private nonisolated static let __macro_local_5modelfMu_: @convention(c) () -> Swift.UInt = {
          Varve._$modelReference(Dog.self)
        }

        public override class func _$codingNames(_ _$names: inout Varve._CodingNames) {
          super._$codingNames(&_$names)
          let _$keys = Varve._CodingKeysOf(Dog.self)
          _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
          _$names._$add("id", _$keys.own.CodingKeys.id)
          _$names._$add("name", _$keys.own.CodingKeys.name)
          _$names._$add("kind", _$keys.own.CodingKeys.kind)
          _$names._$add("born", _$keys.own.CodingKeys.born)
          _$names._$add("chip", _$keys.own.CodingKeys.chip)
          _$names._$add("seen", _$keys.own.CodingKeys.seen)
          _$names._$add("toys", _$keys.own.CodingKeys.toys)
          _$names._$add("tags", _$keys.own.CodingKeys.tags)
          _$names._$add("sizes", _$keys.own.CodingKeys.sizes)
          _$names._$add("made", _$keys.own.CodingKeys.made)
          _$names._$add("owners", _$keys.own.CodingKeys.owners)
        }

        @_disfavoredOverload
        public convenience init(id: Int, name: Swift.String = "Rex", kind: Kind, born: Date? = nil, chip: UUID? = nil, seen: Date?, toys: [Toy] = [], tags: Swift.Set<String> = [], sizes: [String: Int]? = nil) {
          self.init()
          _$set(_$Slot._id._$i, id)
          _$set(_$Slot._name._$i, name)
          _$set(_$Slot._kind._$i, kind)
          if let born {
            _$set(_$Slot._born._$i, born)
          }
          _$set(_$Slot._chip._$i, chip)
          _$set(_$Slot._seen._$i, seen)
          _$setList(_$Slot._toys._$i, toys)
          _$setSet(_$Slot._tags._$i, tags)
          if let sizes {
            _$setMap(_$Slot._sizes._$i, sizes)
          }
        }

        public nonisolated struct New: Varve.ModelValues {
          public typealias _$Model = Dog
          public var id: Int
          public var name: Swift.String
          public var kind: Kind
          public var born: Date?
          public var chip: UUID?
          public var seen: Date?
          public var toys: [Toy]
          public var tags: Swift.Set<String>
          public var sizes: [String: Int]?
          public init(id: Int, name: Swift.String = "Rex", kind: Kind, born: Date? = nil, chip: UUID? = nil, seen: Date?, toys: [Toy] = [], tags: Swift.Set<String> = [], sizes: [String: Int]? = nil) {
            self.id = id
            self.name = name
            self.kind = kind
            self.born = born
            self.chip = chip
            self.seen = seen
            self.toys = toys
            self.tags = tags
            self.sizes = sizes
          }
          public static var _$count: Swift.Int {
            10
          }
          public func _$store(in _$row: inout Varve._NewRow) {
            let _$v_kind = Varve._$boxed(self.kind)
            let _$v_born = self.born.map {
              Varve._$boxed($0)
            } ?? _$row._$default(_$Slot._born._$i)
            let _$v_chip = Varve._$boxed(self.chip)
            let _$v_sizes = self.sizes.map {
              Varve._$boxedMap($0)
            } ?? _$row._$default(_$Slot._sizes._$i)
            let _$v_made = _$row._$default(_$Slot._made._$i)
            _$row._$begin(_$Slot._id._$i, self.id)
            _$row._$put(_$Slot._id._$i, self.id)
            _$row._$put(_$Slot._name._$i, self.name)
            _$row._$put(_$Slot._kind._$i, _$v_kind)
            _$row._$put(_$Slot._born._$i, _$v_born)
            _$row._$put(_$Slot._chip._$i, _$v_chip)
            _$row._$put(_$Slot._seen._$i, self.seen)
            _$row._$putList(_$Slot._toys._$i, self.toys)
            _$row._$putSet(_$Slot._tags._$i, self.tags)
            _$row._$put(_$Slot._sizes._$i, _$v_sizes)
            _$row._$put(_$Slot._made._$i, _$v_made)
          }
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "the memberwise initializer has no parameter 'made', because the declaration "
            + "does not state its type; state it: 'var made: Type = …'",
          line: 11, column: 25, severity: .remark)
      ])
  }

  /// Properties that no initializer can name, with the reason in the message for an attribute that
  /// requires one.
  @Test(arguments: [
    ("Object", "@Persisted private var a: Int", "property 'a' is private"),
    ("Object", "@Persisted fileprivate var a = 1", "property 'a' is private"),
    (
      "Object", "#if DEBUG\n  @Persisted var a: Int\n  #endif",
      "a persisted property is inside '#if'"
    ),
    (
      "Object", "@Persisted var value: Int",
      "with only 'value', a call would be one of 'init(value:)'"
    ),
    (
      "Object", "@Persisted var a = 1\n  @Persisted var validating: Int?",
      "with only 'validating', a call would be one of 'init(validating:)'"
    ),
    ("Object", "@Persisted var `self`: Int", "'self' cannot be the name of a parameter"),
    ("Object", "@Persisted var a = Kind.first", "there is no persisted property with a known type"),
    ("Object", "var a = 1", "there is no persisted property with a known type"),
    (
      "Object", "@Persisted var a: Int\n  convenience init(b: Int) { self.init() }",
      "it declares an initializer"
    ),
    (
      "Models.Object", "@Persisted var a: Int",
      "it does not inherit directly from 'Object' or 'EmbeddedObject'"
    ),
    (
      "Animal", "@Persisted var a: Int",
      "it does not inherit directly from 'Object' or 'EmbeddedObject'"
    ),
  ])
  func obstaclesAreReported(_ superclass: String, _ member: String, _ reason: String) {
    expectMessages(
      "@Model(memberwise: true) class Dog: \(superclass) {\n  \(member)\n}",
      ["class 'Dog' cannot have a memberwise initializer: \(reason)"], at: [(1, 20)])
    expectMessages("@Model class Dog: \(superclass) {\n  \(member)\n}", [], at: [])
  }

  @Test func argumentMustBeLiteral() {
    expectMessages(
      "@Model(memberwise: isAllowed) class Dog: Object {\n  @Persisted var a: Int\n}",
      ["'memberwise' must be 'true' or 'false'"], at: [(1, 20)])
  }

  @Test func valueMayBeOneOfSeveralParameters() {
    let text = expansion(
      "@Model class Dog: Object {\n  @Persisted var value: Int\n  @Persisted var a: Int\n}")
    #expect(text.contains("convenience init(value: Int, a: Int)"))
    // A structure has no other initializer.
    #expect(
      expansion("@Model class Dog: Object { @Persisted var value: Int }")
        .contains("  init(value: Int) {"))
  }

  @Test func initializersDoNotPreventOthers() {
    for own in ["required init() {}", "init(from decoder: any Decoder) throws {}"] {
      expectMessages(
        "@Model(memberwise: true) class Dog: Object {\n  @Persisted var a: Int\n  \(own)\n}", [],
        at: [])
    }
  }

  /// The signatures of the class and of `New`, which has none where an initializer is overridden.
  @Test(arguments: [
    ("@Persisted var a: Int?", "a: Int? = nil"),
    ("@Persisted var a: Dog!", "a: Dog? = nil"),
    ("@Persisted var a: Int8 = -1", "a: Int8 = -1"),
    ("@Persisted var a = -1.5", "a: Swift.Double = -1.5"),
    ("@Persisted var a = true", "a: Swift.Bool = true"),
    ("@Persisted var a = \"\\(1)\"", "a: Swift.String? = nil"),
    ("@Persisted var a: Kind = .a", "a: Kind? = nil"),
    ("@Persisted var a: Int? = 3", "a: Int? = 3"),
    ("@Persisted var a: Date? = Date()", "a: Date?"),
    ("@Persisted var a = Date()", "a: Date? = nil"),
    ("@Persisted var a = Date(timeIntervalSince1970: 0)", "a: Date? = nil"),
    ("@Persisted var a = UUID()", "a: UUID? = nil"),
    ("@Persisted var a = ObjectId.generate()", "a: ObjectId? = nil"),
    ("@Persisted var a: Map<Unit, Dog?>", "a: [Unit: Dog?] = [:]"),
    ("@Persisted(primaryKey: true, autoIncrement: true) var a: Int", "a: Int = 0"),
    ("@Persisted(primaryKey: true, autoIncrement: true) var a: Key", "a: Key"),
    ("@Persisted private(set) var a: Int", "a: Int"),
    ("@Persisted var `class`: Int", "`class`: Int"),
    (
      "@Persisted var a = 1; override class func defaultPropertyValues() -> [String: Any] { [:] }",
      "a: Swift.Int? = nil"
    ),
  ])
  func parametersFollowDeclarations(_ member: String, _ parameter: String) {
    let text = expansion("@Model class Dog: Object {\n  \(member)\n}")
    #expect(text.contains("convenience init(\(parameter))"), "\(text)")
    #expect(text.contains("    init(\(parameter))"), "\(text)")
  }

  /// Values that an overridden `init()` has set stay unless they are given.
  @Test func overriddenInitMakesParametersOptional() {
    let text = expansion(
      """
      @Model class Dog: Object {
        @Persisted(primaryKey: true, autoIncrement: true) var id: Int
        @Persisted var name: String
        @Persisted var size = 1
        @Persisted var born: Date?
        @Persisted var toys: List<Toy>
        required init() { super.init() }
      }
      """)
    #expect(
      text.contains(
        "init(id: Int? = nil, name: String, size: Swift.Int? = nil, born: Date?, toys: [Toy]? = nil)"
      ), "\(text)")
  }

  @Test(arguments: ["Object", "Varve.Object", "Varve.EmbeddedObject"])
  func superclassMayBeQualified(_ superclass: String) {
    let text = expansion("@Model class Dog: \(superclass) { @Persisted var a: Int }")
    #expect(text.contains("convenience init(a: Int)"))
    #expect(text.contains("struct New") != superclass.hasSuffix("EmbeddedObject"))
  }

  @Test(arguments: [
    ("class Dog: Animal { @Persisted var a: Int }", true),
    ("class Dog: Animal { @Persisted var a: New? }", false),
    ("class Dog: Animal { @Persisted var a: Int; enum New {} }", false),
    ("class Dog<New>: Animal { @Persisted var a: Int }", false),
    ("class New: Animal { @Persisted var a: Int }", false),
  ])
  func subclassesHideNewUnlessTheyUseTheName(_ declaration: String, _ isHidden: Bool) {
    for attribute in ["@Model", "@Model(memberwise: false)"] {
      #expect(expansion("\(attribute) \(declaration)").contains("typealias New") == isHidden)
    }
  }

  @Test func accessIsThatOfLeastVisibleProperty() {
    func initializer(_ model: String, _ property: String) -> Substring? {
      expansion("@Model \(model) Dog: Object {\n  @Persisted \(property) var a: Int\n}")
        .split(separator: "\n").first { $0.contains("convenience init(") }
        .map { $0.drop { $0 == " " } }
    }
    #expect(initializer("public class", "public")?.hasPrefix("public ") == true)
    #expect(initializer("open class", "public")?.hasPrefix("public ") == true)
    #expect(initializer("public class", "package")?.hasPrefix("package ") == true)
    #expect(initializer("package class", "public")?.hasPrefix("package ") == true)
    #expect(initializer("public class", "")?.hasPrefix("convenience ") == true)
    #expect(initializer("class", "public")?.hasPrefix("convenience ") == true)
  }

  @Test(arguments: [
    "class Dog: Object { @Persisted var a: Int; required init() { super.init() } }",
    "class Dog: Object { @Persisted var a: Int; enum New {} }",
    "class Dog: Object { @Persisted var a: New }",
    "class Dog: Object { @Persisted var a: Int = New.limit }",
    "class Dog: Object { @Persisted var a: Int; var b = New() }",
    "class Dog: EmbeddedObject { @Persisted var a: Int }",
    "class New: Object { @Persisted var a: Int }",
  ])
  func someClassesHaveNoNew(_ declaration: String) {
    let text = expansion("@Model \(declaration)")
    #expect(text.contains("convenience init(a: "))
    #expect(!text.contains("struct New"))
  }
}
