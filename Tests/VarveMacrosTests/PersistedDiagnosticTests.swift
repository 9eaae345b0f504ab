import SwiftSyntaxMacrosGenericTestSupport
import Testing

struct PersistedDiagnosticTests {
  /// Expects that one property of an unmarked class is refused.
  ///
  /// The attribute is removed; the rest of the source stays.
  private func expectRefusal(
    _ property: String,
    _ message: String,
    column: Int,
    fixIt: String? = nil,
    fixed: String? = nil,
    line: UInt = #line
  ) {
    for attribute in ["", "@Model "] {
      let source = "\(attribute)class Dog: Object {\n  \(property)\n}"
      expectMessages(
        source, [message], at: [(2, column)], fixIts: fixIt.map { [$0] } ?? [],
        fixed: fixed.map { "\(attribute)class Dog: Object {\n  \($0)\n}" }, line: line)
    }
  }

  @Test func constantIsRefused() {
    expectRefusal(
      "@Persisted let age: Int", "'@Persisted' properties must be declared with 'var'", column: 14,
      fixIt: "replace 'let' with 'var'", fixed: "@Persisted var age: Int")
  }

  @Test(arguments: ["static", "class", "lazy", "weak", "unowned"])
  func modifierIsRefused(_ modifier: String) {
    expectRefusal(
      "@Persisted \(modifier) var age = 1",
      "'@Persisted' cannot be applied to a '\(modifier)' property", column: 14,
      fixIt: "remove '\(modifier)'", fixed: "@Persisted var age = 1")
  }

  @Test func overrideIsRefused() {
    expectRefusal(
      "@Persisted override var age: Int",
      "a persisted property cannot override another; it would be stored twice", column: 14)
  }

  @Test func computedPropertyIsRefused() {
    expectRefusal(
      "@Persisted var age: Int { 5 }", "'@Persisted' cannot be applied to a computed property",
      column: 27, fixIt: "remove '@Persisted'", fixed: "var age: Int { 5 }")
  }

  @Test func actorIsolationIsRefused() {
    expectRefusal(
      "@MainActor @Persisted var age: Int",
      "'@Persisted' properties cannot be isolated to an actor; objects may be used from any task",
      column: 3, fixIt: "remove '@MainActor'", fixed: "@Persisted var age: Int")
  }

  @Test(arguments: [
    ("[Int]", "List<Int>"), ("[[String]]?", "List<[String]>"), ("Array<Dog>", "List<Dog>"),
    ("Swift.Array<Dog>!", "List<Dog>"), ("[UInt8]", "Data"),
    ("[String: Int?]", "Map<String, Int?>"),
    ("Dictionary<String, Dog>", "Map<String, Dog>"), ("Optional<[Int]>", "List<Int>"),
    ("Set<Int>", "MutableSet<Int>"), ("Optional<Set<Int>>", "MutableSet<Int>"),
  ])
  func standardLibraryCollectionIsRefused(_ type: String, _ replacement: String) {
    expectRefusal(
      "@Persisted var x: \(type) = [] // why",
      "'\(type)' cannot be persisted; use '\(replacement)'", column: 21,
      fixIt: "replace the type with '\(replacement)'",
      fixed: "@Persisted var x: \(replacement) // why")
  }

  /// The message names the type and the supported types.
  @Test(arguments: [
    "(Int) -> Void", "(Int, Int)", "any Named", "Dog.Type", "Any?", "AnyObject", "UInt", "UInt8?",
    "Swift.UInt64", "Optional<UInt32>",
  ])
  func unsupportedTypesAreRefused(_ type: String) {
    expectRefusal(
      "@Persisted var x: \(type)",
      "'\(type)' cannot be persisted; use Bool, Int, Int8 to Int64, Float, Double, String, Data, Date, "
        + "UUID, ObjectId, Decimal128, AnyRealmValue, a type that conforms to PersistableEnum or "
        + "CustomPersistable, an optional of one of these or of an Object class, List, MutableSet, Map or "
        + "LinkingObjects", column: 21)
  }

  @Test(arguments: ["[1]", "[String]()", "[:]", "[\"a\": 1]"])
  func collectionValueWithoutTypeIsRefused(_ value: String) {
    expectRefusal(
      "@Persisted var x = \(value)",
      "arrays and dictionaries cannot be persisted; declare the type as 'List' or 'Map'", column: 22
    )
  }

  @Test(arguments: ["List<Int>?", "Optional<List<Int>>"])
  func optionalCollectionIsRefused(_ type: String) {
    expectRefusal(
      "@Persisted var x: \(type) = nil",
      "a persisted collection cannot be optional; use 'List<Int>', which is initially empty",
      column: 21, fixIt: "replace the type with 'List<Int>'", fixed: "@Persisted var x: List<Int>")
  }

  @Test func inverseWithoutOriginIsRefused() {
    expectRefusal(
      "@Persisted var x: LinkingObjects<Dog>",
      "'LinkingObjects' needs the name of the linking property: '@Persisted(originProperty: \"…\")'",
      column: 3)
  }

  @Test(arguments: ["List<Dog>", "Int", "Dog?"])
  func originOfOtherTypeIsRefused(_ type: String) {
    expectRefusal(
      "@Persisted(originProperty: \"a\") var x: \(type)",
      "'originProperty' can only be used with a property of type 'LinkingObjects'", column: 42)
  }

  @Test func severalVariablesAreSplit() {
    let source = "@Model class Dog: Object {\n  @Persisted(indexed: true) var a, b: Int, c = 1\n}"
    let accessors = "accessor macro can only be applied to a single variable"
    let peers = "peer macro can only be applied to a single variable"
    expectMessages(
      source,
      [accessors, peers, "each '@Persisted' variable needs a separate declaration"],
      at: [(2, 3), (2, 3), (2, 33)], fixIts: ["declare each variable separately"],
      fixed: """
        @Model class Dog: Object {
          @Persisted(indexed: true) var a: Int
          @Persisted(indexed: true) var b: Int
          @Persisted(indexed: true) var c = 1
        }
        """)
  }

  @Test(arguments: ["struct Dog", "actor Dog", "extension Dog", "func dog()"])
  func onlyClassesPersist(_ scope: String) {
    expectMessages(
      "\(scope) {\n  @Persisted var a: Int\n}",
      [
        "'@Persisted' can only be applied to properties in the body of a class that inherits from "
          + "'Object'"
      ], at: [(2, 3)])
  }

  @Test(arguments: ["class Dog", "class Dog: Hashable"])
  func unmarkedClassWithoutSuperclassIsRefused(_ declaration: String) {
    expectMessages(
      "\(declaration) {\n  @Persisted var a: Int\n}",
      [
        "model class 'Dog' must inherit from 'Object' or another model class"
      ], at: [(2, 3)])
  }

  @Test func unmarkedClassOfActorIsRefused() {
    expectMessages(
      "@MainActor class Dog: Object {\n  @Persisted var a: Int\n}",
      [
        "model class 'Dog' cannot be isolated to an actor; objects may be used from any task"
      ], at: [(2, 3)])
  }
}
