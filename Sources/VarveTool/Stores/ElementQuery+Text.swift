import VarveCore
import VarveEncoding

extension ElementQuery {
  /// Returns the query with a predicate and its suffixes applied.
  ///
  /// - Throws: ``ToolError`` that shows the position of an error; a `Failure` for a property without
  ///   an order.
  func refined(byText text: String) throws -> ElementQuery {
    let predicate: BoundPredicateText
    do throws(TextPredicateError) {
      predicate = try BoundPredicateText.read(
        text, [], on: model, orValues: PropertyKind(type: .mixed))
    } catch {
      throw error.error(in: text)
    }
    return try refined(by: predicate)
  }
}
