import VarveCore
import VarveEncoding

/// The properties of an object that a document contains.
final class PatchDocument: Sendable {
  /// An error for documents that are nested more than ``EncodingPath/maximumDepth`` levels deep.
  struct TooDeep: Error {}

  /// An error for an object whose class implements `init(from:)` itself: what it sets need not be
  /// what the document contains, and would change more of a stored object.
  struct DecodesItself: Error { let type: Any.Type }

  let type: ObjectBase.Type
  /// The properties in the order of the class.
  let properties: [(slot: Int, content: PatchContent)]
  /// The slots of properties that the document lacks and a new object requires.
  let missing: [Int]
  /// Whether the class decodes itself. Its object is then new, or nothing but a primary key.
  private let decodesItself: Bool

  /// Decodes the properties that a document contains.
  ///
  /// - Parameters:
  ///   - object: A new object of the class, for the messages of errors.
  ///   - names: The encoded names of the properties, by slot; nil for those that are not coded.
  /// - Throws: `DecodingError`.
  init(_ object: ObjectBase, from decoder: any Decoder, _ names: [String?]) throws {
    let container = try decoder.container(keyedBy: PropertyKey.self)
    let links = LinkSource(decoder)
    let info = object.info
    var properties: [(slot: Int, content: PatchContent)] = []
    var missing: [Int] = []
    for property in info.properties where property.coding.isDecodable(links.coding) {
      let name = names[property.slot]
      guard let key = name.map({ PropertyKey($0) }), container.contains(key) else {
        // A property without a coding key is not required, as in decoding.
        if property.isRequiredInPatch, name != nil || property.isPrimaryKey {
          missing.append(property.slot)
        }
        continue
      }
      if property.isAutoIncremented, try container.decodeNil(forKey: key) { continue }
      let reader = PatchReader(
        owner: PropertyOwner(object: object, slot: property.slot), property: property, links: links)
      do {
        properties.append((property.slot, try reader.content(container, key)))
      } catch let error as DecodingError {
        throw error.naming(info.name, property.name)
      }
    }
    type = Swift.type(of: object)
    self.properties = properties
    self.missing = missing
    decodesItself = false
  }

  /// Creates a document with the properties that were set of an unmanaged object, whose class
  /// decodes itself.
  ///
  /// - Throws: ``DecodesItself`` for an object that has a primary key and another value, ``TooDeep``.
  init(copying object: ObjectBase, depth: Int) throws {
    guard depth < EncodingPath.maximumDepth else { throw TooDeep() }
    type = Swift.type(of: object)
    properties = try object.info.properties
      .filter { $0.originProperty == nil && !object.isUnset($0.slot) }
      .map { ($0.slot, try PatchContent($0.read(object, $0.slot), depth: depth)) }
    missing = object.info.properties
      .filter { $0.isPrimaryKey && $0.isRequiredInPatch && object.isUnset($0.slot) }.map(\.slot)
    decodesItself = true
    if key != nil, !isReference { throw DecodesItself(type: type) }
  }

  var info: ClassInfo { ClassInfo.of(type) }

  var isEmbedded: Bool { info.description.isEmbedded }

  /// Whether it changes the embedded object that a property or an entry of a map has.
  var isMerged: Bool { isEmbedded && !decodesItself }

  /// The primary key; nil for a class without one, and for a key that the document lacks or that is
  /// still to be generated.
  var key: Value? {
    let model = info.description
    guard let slot = model.primaryKeySlot,
      case .value(let key)? = properties.first(where: { $0.slot == slot })?.content,
      !(model.generatesKeys && key == .int(0))
    else { return nil }
    return key
  }

  /// Whether the document has nothing but the primary key.
  var isReference: Bool { properties.count == 1 && key != nil }

  /// Returns the failure for properties that a new object requires and a document lacks.
  func missingFailure(_ slots: [Int]) -> Failure {
    let names = slots.map { info.properties[$0].name }
    return Failure(
      .missingValue, "A new object requires values that the document lacks.",
      className: info.name, propertyName: names.count == 1 ? names[0] : nil,
      value: key?.text, details: names.map { "\(info.name).\($0)" })
  }
}

extension PropertyDescriptor {
  /// Whether an object cannot be decoded without the property.
  var isRequired: Bool {
    let kind = type.kind
    return !isAutoIncremented && !hasDefault && !kind.isNullable && kind.type != .mixed
      && kind.collection == .none
  }

  /// Whether an object cannot be inserted from a patch without the property: a missing key, too,
  /// identifies no object with the key null.
  fileprivate var isRequiredInPatch: Bool {
    isRequired || isPrimaryKey && !isAutoIncremented && !hasDefault
  }
}
