import VarveCore
import VarveEncoding
import VarveStorage

/// The content of a property of a line, checked and with its links resolved. Nothing of it is
/// stored yet.
indirect enum ImportedPart {
  case value(Value)
  /// An embedded object, with a part for each property of its class.
  case embedded(ImportedClass, [ImportedPart])
  /// A list or a set.
  case elements([ImportedPart])
  case entries([(key: String, part: ImportedPart)])
  /// A list or a dictionary in a mixed value.
  case nested(NestedContent)
  /// A value with a link to an object that has not been read yet.
  case unknown

  var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// Parsing values. These methods do not write.
extension ObjectReader {
  /// Returns a part for each property of a class. The part of the primary key is null.
  mutating func properties(
    _ json: JSONValue, _ plan: ImportedClass
  ) throws(Failure) -> [ImportedPart] {
    let schema = plan.schema
    guard case .object(let members) = json else {
      throw Failure(
        .invalidInput, "The values are not a JSON object.", className: schema.name, value: json.text
      )
    }
    var parts: [ImportedPart?] = Array(repeating: nil, count: schema.properties.count)
    for member in members {
      guard let index = plan.indexByName[member.name], !schema.properties[index].isPrimaryKey
      else { throw .unknownProperty(member.name, schema.name, value: member.value.text) }
      guard parts[index] == nil else {
        throw Failure(
          .invalidInput, "A property occurs twice.", className: schema.name,
          propertyName: member.name, value: member.value.text)
      }
      parts[index] = try part(member.value, schema.properties[index], schema)
    }
    var all: [ImportedPart] = []
    all.reserveCapacity(parts.count)
    for (index, part) in parts.enumerated() {
      if let part {
        all.append(part)
      } else {
        all.append(try absent(schema.properties[index], schema))
      }
    }
    return all
  }

  /// Returns the content of a property that a line omits.
  private func absent(
    _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) -> ImportedPart {
    if property.kind.collection != .none || property.isPrimaryKey { return .value(.null) }
    guard property.kind.accepts(.null) else {
      throw Failure(
        .missingValue, "A property that requires a value is missing.", className: schema.name,
        propertyName: property.name)
    }
    return .value(.null)
  }

  /// Returns the content of a property.
  mutating func part(
    _ json: JSONValue, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) -> ImportedPart {
    hasMetUnknown = false
    let part = try wholePart(json, property, schema)
    return hasMetUnknown ? .unknown : part
  }

  private mutating func wholePart(
    _ json: JSONValue, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) -> ImportedPart {
    switch (property.kind.collection, json) {
    case (.none, _):
      return try element(json, property, schema)
    case (.list, .array(let items)), (.set, .array(let items)):
      var parts: [ImportedPart] = []
      parts.reserveCapacity(items.count)
      for item in items { parts.append(try element(item, property, schema)) }
      return .elements(parts)
    case (.dictionary, .object(let members)):
      var entries: [(key: String, part: ImportedPart)] = []
      try checkKeys(members, property, schema)
      for member in members {
        entries.append((member.name, try element(member.value, property, schema)))
      }
      return .entries(entries)
    default:
      throw mismatch(json, property, schema)
    }
  }

  private mutating func element(
    _ json: JSONValue, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) -> ImportedPart {
    if property.kind.type == .link, json != .null {
      let target = try transaction.classSchema(property.linkedClassID)
      if target.record.isEmbedded {
        guard embeddedDepth < EmbeddedTree.maximumDepth else {
          throw EmbeddedTree.tooDeep(target.name)
        }
        embeddedDepth += 1
        defer { embeddedDepth -= 1 }
        let outer = hasMetUnknown
        let plan = plan(target)
        let parts = try properties(json, plan)
        hasMetUnknown = outer || parts.contains(where: \.isUnknown)
        return .embedded(plan, parts)
      }
    }
    if property.kind.type == .mixed {
      let content = try content(json, property, schema)
      if case .value(let value) = content { return .value(value) }
      return .nested(content)
    }
    return .value(try value(json, property, schema))
  }

  /// Parses a mixed value and its nested values.
  private mutating func content(
    _ json: JSONValue, _ property: StoredProperty, _ schema: ClassSchema, depth: Int = 0
  ) throws(Failure) -> NestedContent {
    guard case .object(let members) = json, members.count == 1,
      let kind = CollectionKind(jsonName: members[0].name), kind != .none
    else { return .value(try value(json, property, schema)) }
    guard depth < NestedContent.maximumDepth else {
      throw NestedContent.tooDeep(schema.name, property.name)
    }
    switch (kind, members[0].value) {
    case (.list, .array(let items)):
      var contents: [NestedContent] = []
      for item in items {
        contents.append(try content(item, property, schema, depth: depth + 1))
      }
      return .list(contents)
    case (.dictionary, .object(let members)):
      var entries: [(key: String, value: NestedContent)] = []
      try checkKeys(members, property, schema)
      for member in members {
        let content = try content(member.value, property, schema, depth: depth + 1)
        entries.append((member.name, content))
      }
      return .dictionary(entries)
    default:
      throw mismatch(json, property, schema)
    }
  }

  /// - Throws: `.invalidInput` for a duplicate key.
  private func checkKeys(
    _ members: [JSONMember], _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) {
    var seen: Set<[UInt8]> = []
    for member in members where !seen.insert(Array(member.name.utf8)).inserted {
      throw Failure(
        .invalidInput, "A dictionary has a key twice.", className: schema.name,
        propertyName: property.name, value: member.name.debugDescription)
    }
  }

  /// Parses a single value and checks it against the property's type.
  mutating func value(
    _ json: JSONValue, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) -> Value {
    let outer = hasMetUnknown
    hasMetUnknown = false
    defer { hasMetUnknown = hasMetUnknown || outer }
    let value: Value?
    switch (property.kind.type, json) {
    case (.link, .object): value = try link(json, property, schema)
    case (.link, .null): value = .null
    case (.link, _): value = nil
    case (.mixed, _): value = try mixed(json, property, schema)
    default: value = JSONScalar.read(json, as: property.kind.type)
    }
    guard let value else { throw mismatch(json, property, schema) }
    // A link to an object not read yet is null until the end of the import.
    if !hasMetUnknown { try transaction.check(value, property, schema) }
    return value
  }

  private mutating func mixed(
    _ json: JSONValue, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) -> Value? {
    if case .object(let members) = json, members.count == 1,
      PropertyType(jsonTag: members[0].name) == .link
    {
      return try link(members[0].value, property, schema)
    }
    return JSONScalar.readMixed(json)
  }

  /// Returns the target of a link. A target that has not been read yet sets `hasMetUnknown` and
  /// gives null.
  private mutating func link(
    _ json: JSONValue, _ property: StoredProperty, _ schema: ClassSchema
  ) throws(Failure) -> Value? {
    do throws(Failure) {
      var members = try JSONMembers(json, "A link")
      let name = try members.string("class") ?? ""
      guard let target = plan(named: name)?.schema, !target.record.isEmbedded else {
        throw Failure(
          .typeMismatch, "A link names a class that cannot be linked to.", value: name)
      }
      let found = try linkedID(&members, target)
      try members.end()
      if let found { return .link(classID: target.id, objectID: found) }
      guard !isComplete else {
        throw Failure(
          .invalidInput, "A link refers to an object that is not in the \(scopeName).",
          value: Self.text(json))
      }
      hasMetUnknown = true
      return .null
    } catch {
      var failure = error
      failure.className = schema.name
      failure.propertyName = property.name
      throw failure
    }
  }

  private mutating func linkedID(
    _ members: inout JSONMembers, _ target: ClassSchema
  ) throws(Failure) -> UInt64? {
    guard let key = target.primaryKey else {
      guard let id = try members.integer("id") else {
        throw Failure(.missingValue, "A link has no id.")
      }
      let shifted = UInt64(id) &+ idShift
      return transaction.exists(target, shifted) ? shifted : nil
    }
    guard let json = try members.take("key") else {
      throw Failure(.missingValue, "A link has no key.")
    }
    return try transaction.object(target, primaryKey: try value(json, key, target))
  }

  private static func text(_ json: JSONValue) -> String {
    guard case .object(let members) = json else { return json.text }
    return members.map(\.value.text).joined(separator: " ")
  }

  private func mismatch(
    _ json: JSONValue, _ property: StoredProperty, _ schema: ClassSchema
  ) -> Failure {
    Failure(
      .typeMismatch, "The value is of another type than the property.", className: schema.name,
      propertyName: property.name, value: json.text)
  }
}
