/// An object that is being encoded, and the objects that enclose it.
///
/// Thread safety: immutable.
final class EncodingPath: Sendable {
  /// The path of the object that the running task or thread encodes.
  @TaskLocal static var current: EncodingPath?

  /// The maximum depth of nested objects. Encoders recurse for each level, and a thread has a small
  /// stack.
  static let maximumDepth = 200

  private let object: ObjectBase
  private let outer: EncodingPath?
  private let depth: Int

  init(_ object: ObjectBase, within outer: EncodingPath?) {
    self.object = object
    self.outer = outer
    depth = (outer?.depth ?? 0) + 1
  }

  /// Throws when the object is one of its enclosing objects, since encoding would not end, and when
  /// it is nested too deep.
  ///
  /// - Complexity: O(enclosing objects).
  func checkNoCycle(_ path: [any CodingKey]) throws {
    guard depth <= Self.maximumDepth else {
      throw failure(
        path,
        "Objects are nested more than \(Self.maximumDepth) levels deep: encode links as keys.")
    }
    var enclosing = outer
    while let current = enclosing {
      guard !current.object.isSameObject(as: object) else {
        let text = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
          .joined(separator: ".")
        throw failure(
          path,
          "The object of class '\(object.info.name)' at '\(text)' contains itself."
        )
      }
      enclosing = current.outer
    }
  }

  private func failure(_ path: [any CodingKey], _ text: String) -> EncodingError {
    .invalidValue(object, EncodingError.Context(codingPath: path, debugDescription: text))
  }
}
