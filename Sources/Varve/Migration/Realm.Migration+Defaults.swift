import VarveCore
import VarveEncoding

extension Realm.Migration {
  /// Gives the existing objects the declared objects and elements of added links and collections
  /// that the block has left empty.
  func fillContents() {
    let added = attempt { () throws(Failure) in try core.classesWithAddedContents() }
    for (id, model, names) in added ?? [] {
      guard let old = core.oldSchema.schema(ofClass: id), let new = core.schema.schema(ofClass: id)
      else { continue }
      let (oldModel, newModel) = (
        ClassInfo.dynamic(old, in: core.oldSchema), ClassInfo.dynamic(new, in: core.schema)
      )
      core.forEachObject(id, old: oldModel.description, new: newModel.description) { _, now in
        guard let object = Self.object(now) else { return }
        object.setEmptyContents(ClassInfo.of(model), names)
      }
    }
  }
}

extension DynamicObject {
  /// Sets links and collections that are empty to the defaults that a class declares.
  fileprivate func setEmptyContents(_ model: ClassInfo, _ names: Set<String>) {
    for property in model.properties where names.contains(property.columnName) {
      guard let slot = info.slot(storedAs: property.columnName) else { continue }
      let isEmpty =
        switch info.properties[slot].read(self, slot).content {
        case .collection(let collection): collection.count == 0
        case .object: false
        case .value(let value): value.isNull
        case .unset: true
        }
      if isEmpty { _$setBoxed(slot, property.makeDefault()) }
    }
  }
}

extension SchemaMigration {
  /// The classes with links and collections that the migration adds and that are not empty by
  /// default, with the names of these properties.
  fileprivate func classesWithAddedContents() throws(Failure) -> [(
    id: UInt32, model: ClassDescription, names: Set<String>
  )] {
    try prepare()
    return models.compactMap { model in
      guard let schema = schema.schema(named: model.name),
        let old = oldSchema.schema(ofClass: schema.id)
      else { return nil }
      let names = model.properties.filter { property in
        guard let stored = schema.property(named: property.name) else { return false }
        return old.property(id: stored.id) == nil && property.hasContentDefault
      }.map(\.name)
      return names.isEmpty ? nil : (schema.id, model, Set(names))
    }
  }
}
