import SwiftSyntaxMacrosGenericTestSupport
import Testing

struct ModelDiagnosticTests {
  @Test func structIsRefused() {
    expectExpansion(
      """
      @Model struct Dog {
        @Persisted var name: String
      }
      """,
      """
      struct Dog {
        var name: String
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "'@Persisted' can only be applied to properties in the body of a class that "
            + "inherits from 'Object'", line: 2, column: 3),
        DiagnosticSpec(
          message: "'@Model' can only be applied to a class that inherits from 'Object'", line: 1,
          column: 1),
      ])
  }

  @Test func indexOfUnknownPropertyIsRefused() {
    expectMessages(
      """
      @Model(indexes: [["name", "age"]], unique: [[key]])
      final class Dog: Object {
        @Persisted var name: String
        var age = 0
      }
      """,
      [
        "class 'Dog' does not itself declare a persisted property 'age'",
        "the properties of an index must be string literals: '[[\"name\", \"age\"]]'",
      ],
      at: [(1, 27), (1, 46)])
  }

  @Test func missingSuperclassIsReportedOnce() {
    expectExpansion(
      """
      @Model final class Dog<T> {
        @Persisted var name: String
        @Persisted var age: Int
      }
      """,
      """
      final class Dog<T> {
        var name: String {
          get {
            Swift.fatalError()
          }
          set {
          }
        }
        var age: Int {
          get {
            Swift.fatalError()
          }
          set {
          }
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "model class 'Dog' must inherit from 'Object' or another model class", line: 1,
          column: 20,
          fixIts: [FixItSpec(message: "inherit from 'Object'")])
      ],
      fixed:
        """
        @Model final class Dog<T>: Object {
          @Persisted var name: String
          @Persisted var age: Int
        }
        """)
  }

  @Test func protocolIsNotSuperclass() {
    expectExpansion(
      """
      @Model final class Dog: Codable, Named {
      }
      """,
      """
      final class Dog: Codable, Named {
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "model class 'Dog' must inherit from 'Object' or another model class", line: 1,
          column: 20,
          fixIts: [FixItSpec(message: "inherit from 'Object'")])
      ],
      fixed:
        """
        @Model final class Dog: Object, Codable, Named {
        }
        """)
  }

  @Test func localClassIsRefused() {
    expectExpansion(
      """
      func make() {
        @Model class Dog: Object {
          @Persisted var name: String
        }
      }
      """,
      """
      func make() {
        class Dog: Object {
          var name: String {
            get {
              Swift.fatalError()
            }
            set {
            }
          }
        }
      }

      extension make.Dog: @unchecked Swift.Sendable {
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "local class 'Dog' cannot have '@Model'; its '@Persisted' properties work "
            + "without it", line: 2, column: 3,
          fixIts: [FixItSpec(message: "remove '@Model'")])
      ],
      fixed:
        """
        func make() {
          class Dog: Object {
            @Persisted var name: String
          }
        }
        """)
  }

  @Test func actorIsolationIsRefused() {
    expectExpansion(
      """
      @MainActor
      @Model class Dog: Object {
        @Persisted var name: String
      }
      """,
      """
      @MainActor
      class Dog: Object {
        var name: String {
          get {
            Swift.fatalError()
          }
          set {
          }
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "model class 'Dog' cannot be isolated to an actor; objects may be used from any "
            + "task", line: 1, column: 1,
          fixIts: [FixItSpec(message: "remove '@MainActor'")])
      ])
  }

  @Test func secondPrimaryKeyIsRefused() {
    expectExpansion(
      """
      @Model(memberwise: false) class Dog: Object {
        @Persisted(primaryKey: true) var a: Int
        @Persisted(primaryKey: false) var b: Int
        @Persisted(primaryKey: true) var c: Int
      }
      """,
      """
      class Dog: Object {
        var a: Int {
          get {
            _$get(_$Slot._a._$i)
          }
          set {
            _$set(_$Slot._a._$i, newValue)
          }
        }
        var b: Int {
          get {
            _$get(_$Slot._b._$i)
          }
          set {
            _$set(_$Slot._b._$i, newValue)
          }
        }
        var c: Int {
          get {
            _$get(_$Slot._c._$i)
          }
          set {
            _$set(_$Slot._c._$i, newValue)
          }
        }

        nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
          case _a
          case _b
          case _c
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
          _$all.append(Varve._$prop("a", _$Slot._a._$i, \\Dog.a, primaryKey: true))
          _$all.append(Varve._$prop("b", _$Slot._b._$i, \\Dog.b, primaryKey: false))
          _$all.append(Varve._$prop("c", _$Slot._c._$i, \\Dog.c, primaryKey: true))
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
          _$names._$add("a", _$keys.own.CodingKeys.a)
          _$names._$add("b", _$keys.own.CodingKeys.b)
          _$names._$add("c", _$keys.own.CodingKeys.c)
        }
      }

      extension Dog: @unchecked Swift.Sendable {
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message: "a class can have only one primary key; 'a' is already declared as the "
            + "primary key", line: 4, column: 3)
      ])
  }

  @Test func conditionalAttributeIsRefused() {
    expectExpansion(
      """
      #if DEBUG
      @Model
      #endif
      class Dog: Object {
        @Persisted var name: String
      }
      """,
      """
      #if DEBUG
      @Model
      #endif
      class Dog: Object {
        var name: String
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          message:
            "'@Model' must not depend on '#if DEBUG'; '@Persisted' cannot see which branch is "
            + "active", line: 5, column: 3)
      ])
  }
}
