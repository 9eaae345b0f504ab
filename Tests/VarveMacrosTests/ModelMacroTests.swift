import Testing

struct ModelMacroTests {
  @Test func classGetsSlotsSchemaAndSendable() {
    expectExpansion(
      """
      @Model(memberwise: false) final class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted(indexed: true) var name = "Rex"
        var ignored = 1
      }
      """,
      """
      final class Dog: Object {
        var id: Int {
          get {
            _$get(_$Slot._id._$i)
          }
          set {
            _$set(_$Slot._id._$i, newValue)
          }
        }
        var name {
          get {
            _$get(_$Slot._name._$i)
          }
          set {
            _$set(_$Slot._name._$i, newValue)
          }
        }
        var ignored = 1

        nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _id
          case _name
          case _$end
          static var _$owner: Varve.ObjectBase.Type {
            Dog.self
          }
          static var _$base: Swift.Int {
            Varve._$slotBase(Object.self, Object._$Slot._$owner, Object._$Slot._$end._$i)
          }
        }

        override class func _$properties() -> [Varve.PropertyDescriptor] {
          var _$all = Varve._$propertyList(Object.self)
          _$all.reserveCapacity(_$Slot._$end._$i)
          _$all.append(Varve._$prop("id", _$Slot._id._$i, \\Dog.id, primaryKey: true))
          _$all.append(Varve._$prop("name", _$Slot._name._$i, \\Dog.name, default: {
                "Rex"
              }, isConstantDefault: true, indexed: true))
          return _$all
        }

        // Errors about this constant follow from another error in the module, and vanish with it.
        @section("varve_models") @used
        private nonisolated static let __macro_local_5modelfMu_: @convention(c) () -> Swift.UInt = {
          Varve._$modelReference(Dog.self)
        }

        override class func _$codingNames(_ _$names: inout Varve._CodingNames) {
          super._$codingNames(&_$names)
          let _$keys = Varve._CodingKeysOf(Dog.self)
          _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
          _$names._$add("id", _$keys.own.CodingKeys.id)
          _$names._$add("name", _$keys.own.CodingKeys.name)
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }

  @Test func openGenericClassKeepsConditions() {
    expectExpansion(
      """
      @Model open class Dog<T>: Base<T> {
        @Persisted public var a: Int = -1
        #if DEBUG
        @Persisted var b = UUID()
        #elseif os(Linux)
        #if RELEASE
        @Persisted var c: String = "\\(1)"
        #endif
        #else
        @Persisted(originProperty: "x") var `class`: LinkingObjects<Dog>
        #endif
      }
      """,
      """
      open class Dog<T>: Base<T> {
        public var a: Int {
          get {
            _$get(_$Slot._a._$i)
          }
          set {
            _$set(_$Slot._a._$i, newValue)
          }
        }
        #if DEBUG
        var b {
          get {
            _$get(_$Slot._b._$i)
          }
          set {
            _$set(_$Slot._b._$i, newValue)
          }
        }
        #elseif os(Linux)
        #if RELEASE
        var c: String {
          get {
            _$get(_$Slot._c._$i)
          }
          set {
            _$set(_$Slot._c._$i, newValue)
          }
        }
        #endif
        #else
        var `class`: LinkingObjects<Dog> {
          get {
            _$get(_$Slot._class._$i)
          }
        }
        #endif

        public nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _a
          #if DEBUG
            case _b
          #elseif os(Linux)
          #if RELEASE
            case _c
          #endif
          #else
            case _class
          #endif
          case _$end
          @inlinable public static var _$owner: Varve.ObjectBase.Type {
            Dog.self
          }
          @inlinable public static var _$base: Swift.Int {
            Varve._$slotBase(Base<T>.self, Base<T>._$Slot._$owner, Base<T>._$Slot._$end._$i)
          }
        }

        open override class func _$properties() -> [Varve.PropertyDescriptor] {
          var _$all = Varve._$propertyList(Base<T>.self)
          _$all.reserveCapacity(_$Slot._$end._$i)
          _$all.append(Varve._$prop("a", _$Slot._a._$i, \\Dog.a, default: {
                -1
              }, isConstantDefault: true))
          #if DEBUG
            _$all.append(Varve._$prop("b", _$Slot._b._$i, \\Dog.b, default: {
                UUID()
              }))
          #elseif os(Linux)
          #if RELEASE
            _$all.append(Varve._$prop("c", _$Slot._c._$i, \\Dog.c, default: {
                "\\(1)"
              }))
          #endif
          #else
            _$all.append(Varve._$prop("class", _$Slot._class._$i, \\Dog.`class`, originProperty: "x"))
          #endif
          return _$all
        }

        open override class func _$codingNames(_ _$names: inout Varve._CodingNames) {
          super._$codingNames(&_$names)
          let _$keys = Varve._CodingKeysOf(Dog.self)
          _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
          _$names._$add("a", _$keys.own.CodingKeys.a)
          #if DEBUG
            _$names._$add("b", _$keys.own.CodingKeys.b)
          #elseif os(Linux)
          #if RELEASE
            _$names._$add("c", _$keys.own.CodingKeys.c)
          #endif
          #else
            _$names._$add("class", _$keys.own.CodingKeys.`class`)
          #endif
        }

        @available(*, unavailable, message: "a model class that inherits from another has no 'New'")
        public typealias New = Swift.Never
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }

  @Test func declaredCodableGetsMembers() {
    expectExpansion(
      """
      @Model package class Dog: Object, Codable {
      }
      """,
      """
      package class Dog: Object, Codable {

        package nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _$end
          @inlinable package static var _$owner: Varve.ObjectBase.Type {
            Dog.self
          }
          @inlinable package static var _$base: Swift.Int {
            Varve._$slotBase(Object.self, Object._$Slot._$owner, Object._$Slot._$end._$i)
          }
        }

        package override class func _$properties() -> [Varve.PropertyDescriptor] {
          var _$all = Varve._$propertyList(Object.self)
          _$all.reserveCapacity(_$Slot._$end._$i)
          return _$all
        }

        // Errors about this constant follow from another error in the module, and vanish with it.
        @section("varve_models") @used
        private nonisolated static let __macro_local_5modelfMu_: @convention(c) () -> Swift.UInt = {
          Varve._$modelReference(Dog.self)
        }

        package nonisolated required convenience init(from decoder: any Swift.Decoder) throws {
          self.init()
          try _$decode(from: decoder)
        }

        package nonisolated func encode(to encoder: any Swift.Encoder) throws {
          try _$encode(to: encoder)
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }

  @Test func finalClassUsesCodableMembersOfLibrary() {
    expectExpansion(
      """
      @Model final class Dog: Object, Decodable & Encodable {
        enum CodingKeys: String, CodingKey {
          case name = "n", `default`
        }
      }
      """,
      """
      final class Dog: Object, Decodable & Encodable {
        enum CodingKeys: String, CodingKey {
          case name = "n", `default`
        }

        nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _$end
          static var _$owner: Varve.ObjectBase.Type {
            Dog.self
          }
          static var _$base: Swift.Int {
            Varve._$slotBase(Object.self, Object._$Slot._$owner, Object._$Slot._$end._$i)
          }
        }

        override class func _$properties() -> [Varve.PropertyDescriptor] {
          var _$all = Varve._$propertyList(Object.self)
          _$all.reserveCapacity(_$Slot._$end._$i)
          return _$all
        }

        // Errors about this constant follow from another error in the module, and vanish with it.
        @section("varve_models") @used
        private nonisolated static let __macro_local_5modelfMu_: @convention(c) () -> Swift.UInt = {
          Varve._$modelReference(Dog.self)
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }

  @Test func ownCodableMembersAreKept() {
    expectExpansion(
      """
      @Model final class Dog: Object, Codable {
        init(from decoder: any Decoder) throws {}
        #if DEBUG
        func encode(to encoder: any Encoder) throws {}
        #endif
      }
      """,
      """
      final class Dog: Object, Codable {
        init(from decoder: any Decoder) throws {}
        #if DEBUG
        func encode(to encoder: any Encoder) throws {}
        #endif

        nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _$end
          static var _$owner: Varve.ObjectBase.Type {
            Dog.self
          }
          static var _$base: Swift.Int {
            Varve._$slotBase(Object.self, Object._$Slot._$owner, Object._$Slot._$end._$i)
          }
        }

        override class func _$properties() -> [Varve.PropertyDescriptor] {
          var _$all = Varve._$propertyList(Object.self)
          _$all.reserveCapacity(_$Slot._$end._$i)
          return _$all
        }

        // Errors about this constant follow from another error in the module, and vanish with it.
        @section("varve_models") @used
        private nonisolated static let __macro_local_5modelfMu_: @convention(c) () -> Swift.UInt = {
          Varve._$modelReference(Dog.self)
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }

  @Test func statedSendableIsNotRepeated() {
    expectExpansion(
      """
      @Model class Dog: Varve.Object & Named, @unchecked Sendable {
      }
      """,
      """
      class Dog: Varve.Object & Named, @unchecked Sendable {

        nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _$end
          static var _$owner: Varve.ObjectBase.Type {
            Dog.self
          }
          static var _$base: Swift.Int {
            Varve._$slotBase(Varve.Object.self, Varve.Object._$Slot._$owner, Varve.Object._$Slot._$end._$i)
          }
        }

        override class func _$properties() -> [Varve.PropertyDescriptor] {
          var _$all = Varve._$propertyList(Varve.Object.self)
          _$all.reserveCapacity(_$Slot._$end._$i)
          return _$all
        }

        // Errors about this constant follow from another error in the module, and vanish with it.
        @section("varve_models") @used
        private nonisolated static let __macro_local_5modelfMu_: @convention(c) () -> Swift.UInt = {
          Varve._$modelReference(Dog.self)
        }
      }
      """)
  }

  @Test func deprecationIsRepeated() {
    expectExpansion(
      """
      @available(*, deprecated) @Model(memberwise: false) class Dog: Object {
        @available(*, deprecated) @Persisted var name: String
      }
      """,
      """
      @available(*, deprecated) class Dog: Object {
        @available(*, deprecated) var name: String {
          get {
            _$get(_$Slot._name._$i)
          }
          set {
            _$set(_$Slot._name._$i, newValue)
          }
        }

        nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _name
          case _$end
          static var _$owner: Varve.ObjectBase.Type {
            Dog.self
          }
          static var _$base: Swift.Int {
            Varve._$slotBase(Object.self, Object._$Slot._$owner, Object._$Slot._$end._$i)
          }
        }

        @available(*, deprecated)
        override class func _$properties() -> [Varve.PropertyDescriptor] {
          var _$all = Varve._$propertyList(Object.self)
          _$all.reserveCapacity(_$Slot._$end._$i)
          _$all.append(Varve._$prop("name", _$Slot._name._$i, \\Dog.name))
          return _$all
        }

        // Errors about this constant follow from another error in the module, and vanish with it.
        @section("varve_models") @used
        private nonisolated static let __macro_local_5modelfMu_: @convention(c) () -> Swift.UInt = {
          Varve._$modelReference(Dog.self)
        }

        override class func _$codingNames(_ _$names: inout Varve._CodingNames) {
          super._$codingNames(&_$names)
          let _$keys = Varve._CodingKeysOf(Dog.self)
          _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
          _$names._$add("name", _$keys.own.CodingKeys.name)
        }
      }

      @available(*, deprecated)
      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }

  @Test func publicClassOfInternalTypeIsNotInlinable() {
    expectExpansion(
      """
      enum Internal {
        @Model public class Dog: Object {
        }
      }
      """,
      """
      enum Internal {
        public class Dog: Object {

          public nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
            case _$end
            public static var _$owner: Varve.ObjectBase.Type {
              Dog.self
            }
            public static var _$base: Swift.Int {
              Varve._$slotBase(Object.self, Object._$Slot._$owner, Object._$Slot._$end._$i)
            }
          }

          public override class func _$properties() -> [Varve.PropertyDescriptor] {
            var _$all = Varve._$propertyList(Object.self)
            _$all.reserveCapacity(_$Slot._$end._$i)
            return _$all
          }

          // Errors about this constant follow from another error in the module, and vanish with it.
          @section("varve_models") @used
          private nonisolated static let __macro_local_5modelfMu_: @convention(c) () -> Swift.UInt = {
            Varve._$modelReference(Dog.self)
          }
        }
      }

      extension Internal.Dog: @unchecked Swift.Sendable {
      }
      """)
  }

  @Test func publicClassOfPublicTypeIsInlinable() {
    expectExpansion(
      """
      public enum Public {
        @Model public class Dog: Object {
        }
      }
      """,
      """
      public enum Public {
        public class Dog: Object {

          public nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
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
            return _$all
          }

          // Errors about this constant follow from another error in the module, and vanish with it.
          @section("varve_models") @used
          private nonisolated static let __macro_local_5modelfMu_: @convention(c) () -> Swift.UInt = {
            Varve._$modelReference(Dog.self)
          }
        }
      }

      extension Public.Dog: @unchecked Swift.Sendable {
      }
      """)
  }
}
