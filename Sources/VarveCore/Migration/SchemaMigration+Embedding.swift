import VarveEncoding
import VarveStorage

/// Classes that become embedded.
extension SchemaMigration {
  /// Turns the objects of a class into embedded objects, owned by the objects that link to them.
  func embed(_ model: ClassDescription) throws(Failure) {
    guard let schema = schema.schema(named: model.name), !schema.record.isEmbedded else { return }
    for id in try transaction.objectIDs(of: schema) {
      let links = try transaction.incomingLinks(to: RowKey(classID: schema.id, objectID: id))
      for link in links { try checkEmbedding(link, of: schema) }
      let count = links.reduce(0) { $0 + $1.count }
      guard count == 1 else {
        throw Failure(
          .invalidInput, "An object of a class that becomes embedded must have one owner.",
          className: schema.name, value: "\(count) owners")
      }
    }
    var record = schema.record
    record.isEmbedded = true
    try transaction.save(record)
  }

  /// Rejects owners that cannot contain embedded objects: sets and mixed values.
  private func checkEmbedding(
    _ link: IncomingLink, of schema: ClassSchema
  ) throws(Failure) {
    guard let origin = self.schema.schema(ofClass: link.key.originClass),
      let property = origin.property(id: link.key.originProperty),
      property.kind.type == .mixed || property.kind.collection == .set
    else { return }
    throw Failure(
      .invalidInput,
      "A set, or a value of any type, contains an object of a class that becomes embedded.",
      className: origin.name, propertyName: origin.declaredName(of: property), value: schema.name)
  }

  /// Checks that embedded objects do not own each other in a cycle: each of them would have one
  /// owner, but no root. Trees must not be deeper than those that a write can create.
  func checkRoots(of models: [ClassDescription]) throws(Failure) {
    let classIDs = Set(models.compactMap { schema.schema(named: $0.name)?.id })
    var depths: [RowKey: Int] = [:]
    for model in models {
      guard let schema = schema.schema(named: model.name) else { continue }
      for id in try transaction.objectIDs(of: schema) {
        var path: Set<RowKey> = []
        var below: [RowKey] = []
        var key = RowKey(classID: schema.id, objectID: id)
        while classIDs.contains(key.classID), depths[key] == nil {
          guard path.insert(key).inserted,
            let parent = try transaction.incomingLinks(to: key).first?.origin
          else {
            throw Failure(
              .invalidInput, "Objects of a class that becomes embedded own each other in a cycle.",
              className: schema.name)
          }
          below.append(key)
          key = parent
        }
        var depth = depths[key] ?? 0
        for key in below.reversed() {
          depth += 1
          depths[key] = depth
        }
        guard depth <= EmbeddedTree.maximumDepth else { throw EmbeddedTree.tooDeep(schema.name) }
      }
    }
  }
}
