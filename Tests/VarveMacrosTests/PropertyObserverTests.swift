import Testing

struct PropertyObserverTests {
  @Test func bodiesRunAroundAssignment() {
    expectExpansion(
      """
      @Model(memberwise: false) class Dog: Object {
        @Persisted var name: String {
          willSet { print(newValue) }
          didSet { print(oldValue, name.count) }
        }
      }
      """,
      """
      class Dog: Object {
        var name: String {
          willSet { print(newValue) }
          didSet { print(oldValue, name.count) }
          get {
            _$get(_$Slot._name._$i)
          }

          set {
            var _$own: String {
              get {
                _$get(_$Slot._name._$i)
              }
              set {
                _$set(_$Slot._name._$i, newValue)
              }
            }
            let _$old = self.name
            do {
              print(newValue)
            }
            _$set(_$Slot._name._$i, newValue)
            do {
              let oldValue = _$old
              do {
                print(oldValue, _$own.count)
              }
            }
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

      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }

  @Test func ownPropertyIsAccessedWithoutObservers() {
    expectExpansion(
      """
      class Dog: Object {
        @Persisted var age = 1 {
          didSet(previous) {
            age += 1
            self.age = other.age + friend.self.age
            later { self.age = 3 }
            print(\\Dog.age, call(age: 1))
          }
        }
      }
      """,
      """
      class Dog: Object {
        var age {
          didSet(previous) {
            age += 1
            self.age = other.age + friend.self.age
            later { self.age = 3 }
            print(\\Dog.age, call(age: 1))
          }
          get {
            _$get(Dog._$s_age)
          }

          set {
            let _$own = Varve._ObservedProperty(self, Dog._$s_age, newValue)
            _$set(Dog._$s_age, newValue)
            do {
              _$own.value += 1
                    _$own.value = other.age + friend.self.age
                    later {
                self.age = 3
              }
                    print(\\Dog.age, call(age: 1))
            }
          }
        }

        private struct _$P_age: Varve._PropertyMarker {
          static func meta() -> Varve.PropertyDescriptor {
            Varve._$prop("age", -1, \\Dog.age, default: {
                1
              }, isConstantDefault: true)
          }
          static func codingName(_ _$names: inout Varve._CodingNames) {
            let _$keys = Varve._CodingKeysOf(Dog.self)
            _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
            _$names._$add("age", _$keys.own.CodingKeys.age)
          }
        }

        private let _$f_age = _$P_age()

        private static let _$s_age: Swift.Int = Varve._$resolveSlot(Dog.self, "age")
      }
      """)
  }

  @Test func shadowedNameIsNotRewritten() {
    expectExpansion(
      """
      @Model(memberwise: false) class Dog: Object {
        @Persisted var age: Int! {
          didSet {
            if let age { print(age) }
            self.age = oldValue
          }
        }
      }
      """,
      """
      class Dog: Object {
        var age: Int! {
          didSet {
            if let age { print(age) }
            self.age = oldValue
          }
          get {
            _$get(_$Slot._age._$i)
          }

          set {
            var _$own: Int! {
              get {
                _$get(_$Slot._age._$i)
              }
              set {
                _$set(_$Slot._age._$i, newValue)
              }
            }
            let _$old = self.age
            _$set(_$Slot._age._$i, newValue)
            do {
              let oldValue: Int! = _$old
              do {
                if let age {
                  print(age)
                }
                      _$own = oldValue
              }
            }
          }
        }

        nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _age
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
          _$all.append(Varve._$prop("age", _$Slot._age._$i, \\Dog.age))
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
          _$names._$add("age", _$keys.own.CodingKeys.age)
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }

  @Test func returnExitsOnlyObserver() {
    expectExpansion(
      """
      @Model(memberwise: false) class Dog: Object {
        @Persisted var age: Int {
          willSet(next) {
            guard next > 0 else { return }
            print(next)
          }
          didSet { return }
        }
      }
      """,
      """
      class Dog: Object {
        var age: Int {
          willSet(next) {
            guard next > 0 else { return }
            print(next)
          }
          didSet { return }
          get {
            _$get(_$Slot._age._$i)
          }

          set {
            do {
              let next = newValue
              _ = { () -> Swift.Void in
                guard next > 0 else {
                  return
                }
                      print(next)
              }()
            }
            _$set(_$Slot._age._$i, newValue)
            do {
              return
            }
          }
        }

        nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _age
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
          _$all.append(Varve._$prop("age", _$Slot._age._$i, \\Dog.age))
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
          _$names._$add("age", _$keys.own.CodingKeys.age)
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """)
  }
}
