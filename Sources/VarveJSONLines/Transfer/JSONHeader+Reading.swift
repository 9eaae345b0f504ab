import VarveCore
import VarveEncoding
import VarveLocks

/// The schema that a header describes.
struct ImportedSchema {
  var userSchemaVersion: UInt64 = 0
  var classes: [ClassDescription] = []
  /// The number of objects of each class, if the header states it.
  var counts: [String: Int] = [:]
  /// The greatest generated primary keys that the imported objects do not show.
  var lastKeys: [String: Int64] = [:]

  /// Parses the first line.
  ///
  /// The class descriptions refer to each other; ``ClassLinks/cut()`` breaks the reference cycles.
  ///
  /// - Throws: `.invalidInput`, or `.invalidSchema`.
  init(_ line: JSONValue, _ links: ClassLinks) throws(Failure) {
    guard case .object(let all) = line, all.first?.name == "format",
      all.first?.value == .string(JSONHeader.format)
    else {
      throw Failure(.invalidInput, "The first line is not the header of an export.")
    }
    var members = try JSONMembers(line, "The header")
    _ = try members.take("format")
    let version = try members.integer("version")
    guard version == JSONHeader.version else {
      throw Failure(
        .invalidInput, "The format version of the export is not supported.",
        value: version.map { "version \($0)" })
    }
    userSchemaVersion = UInt64(try members.integer("schemaVersion") ?? 0)
    for item in try members.array("classes") ?? [] {
      let (description, count, lastKey) = try Self.readClass(item, number: classes.count, links)
      guard !classes.contains(where: { $0.name == description.name }) else {
        throw Failure(
          .invalidSchema, "The header describes a class twice.", className: description.name)
      }
      classes.append(description)
      counts[description.name] = count
      lastKeys[description.name] = lastKey
    }
    try members.end()
    links.set(classes)
  }

  private static func readClass(
    _ json: JSONValue, number: Int, _ links: ClassLinks
  ) throws(Failure) -> (ClassDescription, count: Int?, lastKey: Int64?) {
    var members = try JSONMembers(json, "A class of the header")
    guard let name = try members.string("name") else {
      throw Failure(.invalidSchema, "A class of the header has no name.")
    }
    do throws(Failure) {
      let isEmbedded = try members.bool("embedded")
      let count = try members.integer("objects")
      let lastKey = try members.integer("lastKey")
      var properties: [PropertyDescription] = []
      for item in try members.array("properties") ?? [] {
        properties.append(try readProperty(item))
      }
      var indexes: [IndexDescription] = []
      for item in try members.array("indexes") ?? [] { indexes.append(try readIndex(item)) }
      try members.end()
      // Indexes of models start at 0, so these are negative.
      let description = ClassDescription(
        name: name, properties: properties, isEmbedded: isEmbedded, modelIndex: -1 - number,
        isDynamic: true, indexes: indexes, linkedClasses: { links.all })
      return (description, count, try checkedLastKey(lastKey, of: description))
    } catch {
      var failure = error
      failure.className = name
      throw failure
    }
  }

  private static func checkedLastKey(
    _ lastKey: Int?, of description: ClassDescription
  ) throws(Failure) -> Int64? {
    guard let lastKey else { return nil }
    guard description.generatesKeys, let slot = description.primaryKeySlot,
      description.properties[slot].kind.accepts(.int(Int64(lastKey)))
    else {
      throw Failure(
        .invalidSchema, "A class of the header has an invalid last key.",
        className: description.name, value: "\(lastKey)")
    }
    return Int64(lastKey)
  }

  private static func readIndex(_ json: JSONValue) throws(Failure) -> IndexDescription {
    var members = try JSONMembers(json, "An index of the header")
    let kindName = try members.string("kind") ?? ""
    guard let kind = IndexKind(jsonName: kindName) else {
      throw Failure(.invalidSchema, "An index of the header has an unknown kind.", value: kindName)
    }
    var names: [String] = []
    for item in try members.array("properties") ?? [] {
      guard case .string(let name) = item else {
        throw Failure(
          .invalidSchema, "A property name in an index of the header is not a string.",
          value: item.text)
      }
      names.append(name)
    }
    try members.end()
    return IndexDescription(kind: kind, propertyNames: names)
  }

  private static func readProperty(_ json: JSONValue) throws(Failure) -> PropertyDescription {
    var members = try JSONMembers(json, "A property of the header")
    guard let name = try members.string("name") else {
      throw Failure(.invalidSchema, "A property of the header has no name.")
    }
    do throws(Failure) {
      let typeName = try members.string("type") ?? ""
      let collectionName = try members.string("collection") ?? CollectionKind.none.jsonName
      guard let type = PropertyType(jsonName: typeName),
        let collection = CollectionKind(jsonName: collectionName)
      else {
        throw Failure(
          .invalidSchema, "A property of the header has an unknown type.",
          value: "\(typeName) \(collectionName)")
      }
      let kind = PropertyKind(
        type: type, collection: collection, isNullable: try members.bool("optional"))
      var property = PropertyDescription(
        name: name, kind: kind, targetClassName: try members.string("class"),
        isPrimaryKey: try members.bool("primaryKey"),
        isAutoIncremented: try members.bool("autoIncrement"),
        isIndexed: try members.bool("indexed"))
      guard type == .link || property.targetClassName == nil else {
        throw Failure(.invalidSchema, "A property of the header names a class but is not a link.")
      }
      if let json = try members.take("default") {
        let value =
          type == .mixed ? JSONScalar.readMixed(json) : JSONScalar.read(json, as: type)
        guard collection == .none, let value, kind.accepts(value), !value.isNull
        else {
          throw Failure(
            .invalidSchema, "A default of the header is not of its property's type.",
            value: json.text)
        }
        property.addedConstant = value
      } else if collection == .none, !kind.isNullable {
        property.addedConstant = type.zeroValue
      }
      try members.end()
      return property
    } catch {
      var failure = error
      failure.propertyName = name
      throw failure
    }
  }
}

/// The classes of a header, which refer to each other.
///
/// Thread safety: a lock guards them.
final class ClassLinks: Sendable {
  /// Guards the classes.
  private let classes = Lock<[ClassDescription]>([])

  var all: [ClassDescription] { classes.withLock { $0 } }

  func set(_ all: [ClassDescription]) { classes.withLock { $0 = all } }

  /// Breaks the references between the classes.
  func cut() { set([]) }
}

/// The members of a JSON object, removed one at a time by name.
struct JSONMembers {
  private var members: [JSONMember]
  private let what: String

  /// - Throws: `.invalidInput` when the value is not an object.
  init(_ json: JSONValue, _ what: String) throws(Failure) {
    guard case .object(let members) = json else {
      throw Failure(.invalidInput, "\(what) is not a JSON object.", value: json.text)
    }
    self.members = members
    self.what = what
  }

  /// Removes and returns the member with a name, or returns nil if there is none.
  ///
  /// - Throws: `.invalidInput` when the name occurs twice.
  mutating func take(_ name: String) throws(Failure) -> JSONValue? {
    guard let position = members.firstIndex(where: { $0.name == name }) else { return nil }
    let value = members.remove(at: position).value
    guard !members.contains(where: { $0.name == name }) else {
      throw Failure(.invalidInput, "\(what) has a duplicate member.", value: name)
    }
    return value
  }

  mutating func string(_ name: String) throws(Failure) -> String? {
    guard let value = try take(name) else { return nil }
    guard case .string(let text) = value else { throw wrong(name, value) }
    return text
  }

  mutating func bool(_ name: String) throws(Failure) -> Bool {
    guard let value = try take(name) else { return false }
    guard case .bool(let bool) = value else { throw wrong(name, value) }
    return bool
  }

  /// Removes a non-negative integer.
  mutating func integer(_ name: String) throws(Failure) -> Int? {
    guard let value = try take(name) else { return nil }
    guard case .number(let digits) = value, let number = Int(digits), number >= 0 else {
      throw wrong(name, value)
    }
    return number
  }

  mutating func array(_ name: String) throws(Failure) -> [JSONValue]? {
    guard let value = try take(name) else { return nil }
    guard case .array(let elements) = value else { throw wrong(name, value) }
    return elements
  }

  /// - Throws: `.invalidInput` when a member is left.
  func end() throws(Failure) {
    guard let left = members.first else { return }
    throw Failure(.invalidInput, "\(what) has an unknown member.", value: left.name)
  }

  private func wrong(_ name: String, _ value: JSONValue) -> Failure {
    Failure(
      .invalidInput, "\(what) has a member of the wrong type.", value: "\(name): \(value.text)")
  }
}
