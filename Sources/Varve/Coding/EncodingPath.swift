/// An object that is being encoded, and those around it.
///
/// Thread safety: immutable.
final class EncodingPath: Sendable {
  /// What the running task or thread encodes.
  @TaskLocal static var current: EncodingPath?

  /// How many objects may stand in one another: encoders call themselves for each, and a thread has a small stack.
  static let maximumDepth = 200

  private let object: ObjectBase
  private let outer: EncodingPath?
  private let depth: Int

  init(_ object: ObjectBase, within outer: EncodingPath?) {
    self.object = object
    self.outer = outer
    depth = (outer?.depth ?? 0) + 1
  }

  /// Throws when the object is one of those around it: links lead back to it, without end; and when too many are
  /// around it.
  ///
  /// - Complexity: O(objects around it).
  func checkNoCycle(_ path: [any CodingKey]) throws {
    guard depth <= Self.maximumDepth else {
      throw failure(
        path,
        "Objects are nested deeper than \(Self.maximumDepth) in one another: encode links by key.")
    }
    var place = outer
    while let around = place {
      guard !around.object.isSameObject(as: object) else {
        let text = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
          .joined(separator: ".")
        throw failure(
          path,
          "The object of class '\(object.info.name)' at '\(text)' contains itself: links lead back to it."
        )
      }
      place = around.outer
    }
  }

  private func failure(_ path: [any CodingKey], _ text: String) -> EncodingError {
    .invalidValue(object, EncodingError.Context(codingPath: path, debugDescription: text))
  }
}
