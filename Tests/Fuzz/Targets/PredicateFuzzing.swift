import VarveCore
import VarveEncoding

/// Predicates as text. The input is a byte that selects the arguments, and the text.
enum PredicateFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) throws {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    let text = String(decoding: input.remaining(), as: UTF8.self)
    let arguments: [TextPredicate.Literal.Content] =
      choice & 1 == 0
      ? [] : [.value(.int(1)), .value(.string("age")), .list([.value(.int(2))]), .value(.null)]
    let condition: Condition
    do throws(TextPredicateError) {
      condition = try read(text, arguments, isCondition: choice & 2 != 0).condition
    } catch {
      for error in [error] + error.others {
        let isInText = error.position >= 0 && error.position <= text.count
        try require(isInText, "an error at \(error.position) of \(text.count)")
      }
      try require(error.others.count < 100, "\(error.others.count) errors")
      _ = error.lines(in: text)
      return
    }
    try check(condition)
  }

  /// The description of a condition gives the same condition.
  private static func check(_ condition: Condition) throws {
    let text = condition.description
    let again = try require("\(text) is not a predicate") { try read(text, []).condition }
    try require(again == condition, "\(text) becomes \(again)")
  }

  private static func read(
    _ text: String, _ arguments: [TextPredicate.Literal.Content], isCondition: Bool = false
  ) throws(TextPredicateError) -> BoundPredicateText {
    try BoundPredicateText.read(
      text, arguments, on: FuzzModel.description, orValues: PropertyKind(type: .mixed),
      isCondition: isCondition)
  }
}

/// A class with a property of each type, and links to itself.
private enum FuzzModel {
  static let description: ClassDescription = {
    let links = Links()
    let types: [PropertyType] = [
      .bool, .int64, .float, .double, .string, .data, .date, .uuid, .objectId, .decimal128, .mixed,
    ]
    var properties = types.map { property("\($0)", $0) }
    properties += [
      property("name", .string, isNullable: true), property("age", .int64, isNullable: true),
      property("best", .link, isNullable: true, target: "Item"),
      property("items", .link, .list, target: "Item"),
      property("byName", .link, .dictionary, isNullable: true, target: "Item"),
      property("scores", .int64, .list, isNullable: true), property("tags", .string, .set),
      property("rates", .double, .dictionary),
      PropertyDescription(
        name: "admirers", kind: PropertyKind(type: .link, collection: .list),
        targetClassName: "Item", originPropertyName: "best"),
    ]
    links.item = [
      ClassDescription(
        name: "Item", properties: properties, isEmbedded: false, modelIndex: 1_000_100,
        isDynamic: true, linkedClasses: { links.item })
    ]
    return links.item[0]
  }()

  private final class Links: @unchecked Sendable {
    // Safe because it is set before any other code reads it.
    var item: [ClassDescription] = []
  }

  private static func property(
    _ name: String, _ type: PropertyType, _ collection: CollectionKind = .none,
    isNullable: Bool = false, target: String? = nil
  ) -> PropertyDescription {
    PropertyDescription(
      name: name, kind: PropertyKind(type: type, collection: collection, isNullable: isNullable),
      targetClassName: target)
  }
}
