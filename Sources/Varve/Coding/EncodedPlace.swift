/// An object that is being encoded, and those around it.
///
/// Thread safety: immutable.
final class EncodedPlace: Sendable {
  /// What the running task or thread encodes.
  @TaskLocal static var current: EncodedPlace?

  private let object: ObjectBase
  private let outer: EncodedPlace?

  init(_ object: ObjectBase, within outer: EncodedPlace?) {
    self.object = object
    self.outer = outer
  }

  /// Throws when the object is one of those around it: links lead back to it, without end.
  ///
  /// - Complexity: O(objects around it).
  func checkNoCycle(_ path: [any CodingKey]) throws {
    var place = outer
    while let around = place {
      guard !around.isSame(as: object) else { throw cycle(path) }
      place = around.outer
    }
  }

  private func isSame(as other: ObjectBase) -> Bool {
    object.isSameObject(as: other)
  }

  private func cycle(_ path: [any CodingKey]) -> EncodingError {
    let text = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    return .invalidValue(
      object,
      EncodingError.Context(
        codingPath: path,
        debugDescription:
          "The object of class '\(object.info.name)' at '\(text)' contains itself: links lead back to it."
      ))
  }
}
