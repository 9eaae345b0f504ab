import VarveEncoding

/// Collects the properties of the object that a decoder decodes, instead of setting them.
///
/// Thread safety: one thread at a time, like the decoder.
final class PatchCollector: @unchecked Sendable {
  // Safe because a decoder calls `init(from:)` on the thread that decodes, and only that thread
  // reads it afterwards.

  /// The collector of the document that the running task or thread decodes.
  @TaskLocal static var current: PatchCollector?

  /// How the document of a nested object is used.
  enum Use {
    /// For the object that has the primary key of the document, or for the embedded object that the
    /// property or the entry of the map has.
    case change
    /// For an embedded object that is new, as in a list.
    case creation
  }

  /// The number of documents around this one.
  private let depth: Int
  /// The first object that was decoded. It differs from the document's object when the class of
  /// that object implements `init(from:)` itself.
  private var object: ObjectBase?
  /// The values of ``object`` after it was decoded.
  private var values: [Int: Value] = [:]
  private var document: PatchDocument?

  private init(depth: Int) { self.depth = depth }

  /// Decodes the document of an object of a class.
  ///
  /// - Parameter use: How the document of a nested object is used; nil for the patched object.
  /// - Throws: `DecodingError`, also for a class that implements `init(from:)` itself, unless its
  ///   object is new, a reference, or an embedded one that the document replaces.
  static func document(
    of type: any Decodable.Type, from decoder: any Decoder, for use: Use? = nil
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
      collector.object === decoded, collector.values == decoded.setValues
    {
      return document
    }
    do {
      guard use == .creation || use == .change && !isMerged(type, decoder),
        // Decoded again, because an object inside of it may have been collected instead.
        let object = try $current.withValue(nil, operation: { try type.init(from: decoder) })
          as? ObjectBase
      else { throw PatchDocument.DecodesItself(type: type) }
      return try PatchDocument(copying: object, depth: depth)
    } catch is PatchDocument.TooDeep {
      throw error(tooDeep)
    } catch let failure as PatchDocument.DecodesItself {
      throw error("\(failure.type) implements init(from:) itself and cannot be patched.")
    }
  }

  /// Whether a document changes the members of an embedded object, as far as it can be told without
  /// the class.
  private static func isMerged(_ type: any Decodable.Type, _ decoder: any Decoder) -> Bool {
    type is EmbeddedObject.Type && (try? decoder.container(keyedBy: PropertyKey.self)) != nil
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
    values = object.setValues
    return true
  }

  private static let tooDeep =
    "Objects are nested more than \(EncodingPath.maximumDepth) levels deep."
}

extension ObjectBase {
  /// The values of the properties that have been set or read of an unmanaged object, by slot, with
  /// null for collections and objects. An `init(from:)` of the class that does more than decode the
  /// properties changes them.
  fileprivate var setValues: [Int: Value] {
    Dictionary(
      uniqueKeysWithValues: info.properties.map(\.slot).filter { !isUnset($0) }
        .map { ($0, unmanagedBox($0).value ?? .null) })
  }
}
