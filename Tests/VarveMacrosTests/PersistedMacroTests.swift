import Testing

struct PersistedMacroTests {
  @Test func propertyOfUnmarkedClassDescribesItself() {
    expectExpansion(
      """
      class Dog: Object {
        @Persisted(primaryKey: true, indexed: true) var id = 1
        @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
      }
      """,
      """
      class Dog: Object {
        var id {
          get {
            _$get(Dog._$s_id)
          }
          set {
            _$set(Dog._$s_id, newValue)
          }
        }

        private struct _$P_id: Varve._PropertyMarker {
          static func meta() -> Varve.PropertyDescriptor {
            Varve._$prop("id", -1, \\Dog.id, default: {
                1
              }, isConstantDefault: true, primaryKey: true, indexed: true)
          }
          static func codingName(_ _$names: inout Varve._CodingNames) {
            let _$keys = Varve._CodingKeysOf(Dog.self)
            _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
            _$names._$add("id", _$keys.own.CodingKeys.id)
          }
        }

        private let _$f_id = _$P_id()

        private static let _$s_id: Swift.Int = Varve._$resolveSlot(Dog.self, "id")
        var owners: LinkingObjects<Person> {
          get {
            _$get(Dog._$s_owners)
          }
        }

        private struct _$P_owners: Varve._PropertyMarker {
          static func meta() -> Varve.PropertyDescriptor {
            Varve._$prop("owners", -1, \\Dog.owners, originProperty: "dogs")
          }
          static func codingName(_ _$names: inout Varve._CodingNames) {
            let _$keys = Varve._CodingKeysOf(Dog.self)
            _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
            _$names._$add("owners", _$keys.own.CodingKeys.owners)
          }
        }

        private let _$f_owners = _$P_owners()

        private static let _$s_owners: Swift.Int = Varve._$resolveSlot(Dog.self, "owners")
      }
      """)
  }

  @Test func genericClassLooksSlotsUp() {
    expectExpansion(
      """
      class Box<T>: Object {
        @Persisted var value: T
      }
      """,
      """
      class Box<T>: Object {
        var value: T {
          get {
            _$get(Box._$s_value)
          }
          set {
            _$set(Box._$s_value, newValue)
          }
        }

        private struct _$P_value: Varve._PropertyMarker {
          static func meta() -> Varve.PropertyDescriptor {
            Varve._$prop("value", -1, \\Box.value)
          }
          static func codingName(_ _$names: inout Varve._CodingNames) {
            let _$keys = Varve._CodingKeysOf(Box.self)
            _$names._$begin(Box.self, _$keys.own.CodingKeys.self)
            _$names._$add("value", _$keys.own.CodingKeys.value)
          }
        }

        private let _$f_value = _$P_value()

        private static var _$s_value: Swift.Int {
          Varve._$resolveSlot(Box.self, "value")
        }
      }
      """)
  }

  @Test func classOfExtensionLooksSlotsUp() {
    expectExpansion(
      """
      extension Models {
        class Dog: Object {
          @Persisted var name: String
        }
      }
      """,
      """
      extension Models {
        class Dog: Object {
          var name: String {
            get {
              _$get(Dog._$s_name)
            }
            set {
              _$set(Dog._$s_name, newValue)
            }
          }

          private struct _$P_name: Varve._PropertyMarker {
            static func meta() -> Varve.PropertyDescriptor {
              Varve._$prop("name", -1, \\Dog.name)
            }
            static func codingName(_ _$names: inout Varve._CodingNames) {
              let _$keys = Varve._CodingKeysOf(Dog.self)
              _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
              _$names._$add("name", _$keys.own.CodingKeys.name)
            }
          }

          private let _$f_name = _$P_name()

          private static var _$s_name: Swift.Int {
            Varve._$resolveSlot(Dog.self, "name")
          }
        }
      }
      """)
  }

  @Test func namesKeepBackticks() {
    expectExpansion(
      """
      class Dog: Object {
        @Persisted var `class`: Int
        @Persisted var `two words`: Int
      }
      """,
      """
      class Dog: Object {
        var `class`: Int {
          get {
            _$get(Dog._$s_class)
          }
          set {
            _$set(Dog._$s_class, newValue)
          }
        }

        private struct _$P_class: Varve._PropertyMarker {
          static func meta() -> Varve.PropertyDescriptor {
            Varve._$prop("class", -1, \\Dog.`class`)
          }
          static func codingName(_ _$names: inout Varve._CodingNames) {
            let _$keys = Varve._CodingKeysOf(Dog.self)
            _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
            _$names._$add("class", _$keys.own.CodingKeys.`class`)
          }
        }

        private let _$f_class = _$P_class()

        private static let _$s_class: Swift.Int = Varve._$resolveSlot(Dog.self, "class")
        var `two words`: Int {
          get {
            _$get(Dog.`_$s_two words`)
          }
          set {
            _$set(Dog.`_$s_two words`, newValue)
          }
        }

        private struct `_$P_two words`: Varve._PropertyMarker {
          static func meta() -> Varve.PropertyDescriptor {
            Varve._$prop("two words", -1, \\Dog.`two words`)
          }
          static func codingName(_ _$names: inout Varve._CodingNames) {
            let _$keys = Varve._CodingKeysOf(Dog.self)
            _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
            _$names._$add("two words", _$keys.own.CodingKeys.`two words`)
          }
        }

        private let `_$f_two words` = `_$P_two words`()

        private static let `_$s_two words`: Swift.Int = Varve._$resolveSlot(Dog.self, "two words")
      }
      """)
  }

  @Test func nameNotAllowedAfterKeyPathRootUsesSlot() {
    expectExpansion(
      """
      @Model class Dog: Object {
        @Persisted var `self`: Int
      }
      """,
      """
      class Dog: Object {
        var `self`: Int {
          get {
            _$get(_$Slot._self._$i)
          }
          set {
            _$set(_$Slot._self._$i, newValue)
          }
        }

        nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _self
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
          _$all.append(Varve._$prop("self", _$Slot._self._$i, \\.`self` as Swift.KeyPath<Dog, _>))
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
          _$names._$add("self", _$keys.own.CodingKeys.`self`)
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }
}
