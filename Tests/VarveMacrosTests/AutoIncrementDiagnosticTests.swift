import SwiftSyntaxMacrosGenericTestSupport
import Testing

struct AutoIncrementDiagnosticTests {
  /// Expects that one property is refused, and compares the result of the fix-it.
  private func expectRefusal(
    _ property: String, _ message: String, column: Int, fixIt: String, fixed: String,
    line: UInt = #line
  ) {
    for attribute in ["", "@Model "] {
      expectMessages(
        "\(attribute)class Dog: Object {\n  \(property)\n}", [message], at: [(2, column)],
        fixIts: [fixIt], fixed: "\(attribute)class Dog: Object {\n  \(fixed)\n}", line: line)
    }
  }

  private static let attribute = "@Persisted(primaryKey: true, autoIncrement: true)"

  @Test(arguments: [
    "@Persisted(autoIncrement: true)", "@Persisted(primaryKey: false, autoIncrement: true)",
  ])
  func onlyPrimaryKeysAreAutoIncremented(_ attribute: String) {
    expectRefusal(
      "\(attribute) var id: Int",
      "only a primary key can be auto-incremented: "
        + "'@Persisted(primaryKey: true, autoIncrement: true)'",
      column: 3, fixIt: "add 'primaryKey: true'", fixed: "\(Self.attribute) var id: Int")
  }

  @Test(arguments: ["Int?", "Optional<Int16>", "Int!", "String?"])
  func optionalKeysAreRefused(_ type: String) {
    expectRefusal(
      "\(Self.attribute) var id: \(type) // why",
      "an auto-incremented primary key cannot be of the optional type '\(type)'; "
        + "it is 0 until the object is added",
      column: 61, fixIt: "replace the type with '\(type.contains("16") ? "Int16" : "Int")'",
      fixed: "\(Self.attribute) var id: \(type.contains("16") ? "Int16" : "Int") // why")
  }

  @Test(arguments: ["String", "UUID", "Varve.ObjectId", "Double", "Bool"])
  func nonIntegerKeysAreRefused(_ type: String) {
    expectRefusal(
      "\(Self.attribute) var id: \(type)",
      "a property of type '\(type)' cannot be auto-incremented; "
        + "use Int, Int8, Int16, Int32 or Int64",
      column: 61, fixIt: "replace the type with 'Int'", fixed: "\(Self.attribute) var id: Int")
  }

  private static let initialValue =
    "the initial value of an auto-incremented primary key must be 0; "
    + "the key is assigned when the object is added"

  @Test(arguments: ["1", "-1", "next()", "1_0"])
  func initialValuesAreRefused(_ value: String) {
    expectRefusal(
      "\(Self.attribute) var id: Int32 = \(value)", Self.initialValue, column: 69,
      fixIt: "remove the initial value", fixed: "\(Self.attribute) var id: Int32")
    expectRefusal(
      "\(Self.attribute) var id = \(value)", Self.initialValue, column: 62,
      fixIt: "replace the type with 'Int'", fixed: "\(Self.attribute) var id: Int")
  }

  @Test(arguments: [
    "\(attribute) var id: Int", "\(attribute) var id = 0", "\(attribute) var id: Int64 = 0",
    "\(attribute) var id: TicketNumber", "\(attribute) var id: Swift.Int8",
    "@Persisted(autoIncrement: false) var id: String?",
    "@Persisted(primaryKey: isKey, autoIncrement: true) var id: Int",
    "@Persisted(primaryKey: true, autoIncrement: counts) var id: String",
  ])
  func otherDeclarationsAreAccepted(_ property: String) {
    for attribute in ["", "@Model "] {
      expectMessages("\(attribute)class Dog: Object {\n  \(property)\n}", [], at: [])
    }
  }

  @Test func schemaContainsArgument() {
    expectExpansion(
      """
      class Dog: Object {
        @Persisted(primaryKey: true, autoIncrement: true) var id: Int
      }
      """,
      """
      class Dog: Object {
        var id: Int {
          get {
            _$get(Dog._$s_id)
          }
          set {
            _$set(Dog._$s_id, newValue)
          }
        }

        private struct _$P_id: Varve._PropertyMarker {
          static func meta() -> Varve.PropertyDescriptor {
            Varve._$prop("id", -1, \\Dog.id, primaryKey: true, autoIncrement: true)
          }
          static func codingName(_ _$names: inout Varve._CodingNames) {
            let _$keys = Varve._CodingKeysOf(Dog.self)
            _$names._$begin(Dog.self, _$keys.own.CodingKeys.self)
            _$names._$add("id", _$keys.own.CodingKeys.id)
          }
        }

        private let _$f_id = _$P_id()

        private static let _$s_id: Swift.Int = Varve._$resolveSlot(Dog.self, "id")
      }
      """)
  }
}
