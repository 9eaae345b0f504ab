/// Collects the properties of the object that a decoder decodes, instead of setting them.
///
/// Thread safety: one thread at a time, like the decoder.
final class PatchCollector: @unchecked Sendable {
  // Safe because a decoder calls `init(from:)` on the thread that decodes, and only that thread
  // reads it afterwards.

  /// The collector of the document that the running task or thread decodes.
  @TaskLocal static var current: PatchCollector?

  /// The number of documents around this one.
  private let depth: Int
  /// The first object that was decoded. It differs from the document's object when the class of
  /// that object implements `init(from:)` itself.
  private var object: ObjectBase?
  private var document: PatchDocument?

  private init(depth: Int) { self.depth = depth }

  /// Decodes the document of an object of a class.
  ///
  /// - Parameter allowsOthers: Whether the class may implement `init(from:)` itself.
  /// - Throws: `DecodingError`.
  static func document(
    of type: any Decodable.Type, from decoder: any Decoder, allowsOthers: Bool = true
  ) throws -> PatchDocument {
    func error(_ text: String) -> DecodingError {
      .dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: text))
    }
    let depth = (current?.depth ?? 0) + 1
    guard depth <= EncodingPath.maximumDepth else { throw error(tooDeep) }
    let collector = PatchCollector(depth: depth)
    let decoded = try $current.withValue(collector) { try type.init(from: decoder) }
    if let document = collector.document, let decoded = decoded as? ObjectBase,
      collector.object === decoded
    {
      return document
    }
    // Decoded again, because an object inside of it may have been collected instead.
    guard allowsOthers,
      let object = try $current.withValue(nil, operation: { try type.init(from: decoder) })
        as? ObjectBase
    else { throw error("\(type) implements init(from:) itself and cannot be patched.") }
    do {
      return try PatchDocument(copying: object, depth: depth)
    } catch is PatchDocument.TooDeep {
      throw error(tooDeep)
    }
  }

  /// Decodes the properties of the outermost object.
  ///
  /// - Parameter names: The encoded names of the properties, by slot.
  /// - Returns: False, without effect, for any other object.
  /// - Throws: `DecodingError`.
  func read(
    _ object: ObjectBase, from decoder: any Decoder, _ names: [String?]
  ) throws -> Bool {
    guard self.object == nil else { return false }
    self.object = object
    document = try PatchDocument(object, from: decoder, names)
    return true
  }

  private static let tooDeep =
    "Objects are nested more than \(EncodingPath.maximumDepth) levels deep."
}
