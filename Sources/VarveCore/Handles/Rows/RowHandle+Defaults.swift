import VarveEncoding
import VarveStorage

/// Reads of properties whose defaults the object lacks.
extension RowHandle {
  /// Returns the default of a property that the file does not contain yet. It is stored
  /// in the background, or by the first write that uses the class.
  func valueOfUnknown(_ slot: Int, _ context: ReadContext) -> Value {
    let property = binding.model.properties[slot]
    guard let expression = property.defaultExpression else { return property.addedConstant }
    if case .constant(let value) = expression.kind { return value }
    guard let schema = context.binding(for: binding.model).schema else { return expression.make() }
    let value = madeDefault(schema, property, context)
    if !context.readsTransaction { context.store.registerInBackground(binding.model) }
    return value
  }

  /// Returns the default of a property whose row has the mark of a missing default.
  ///
  /// Inside a write, the default is stored. Otherwise it is remembered, and stored in the
  /// background.
  @inline(never)
  func missingDefault(
    _ schema: ClassSchema, _ property: StoredProperty, _ context: ReadContext
  ) throws(Failure) -> Value {
    guard let (model, declared) = declaration(of: property) else { return .null }
    if let transaction = context.transaction {
      let value = madeDefault(schema, declared, context)
      // A refused value must not fail a write that only reads it: the run in the background stores
      // one that is not refused.
      if schema.hasUniqueIndex(on: property) { return value }
      transaction.attempt { () throws(Failure) in
        // The default may have changed the class.
        try transaction.storeDefault(try transaction.classSchema(schema.id), id, property, value)
      }
      return value
    }
    // A closed store has no newest version, and stores nothing any more.
    if let newest = try? context.store.newestSnapshot(),
      try newest.value(schema, id, property).map(property.lacksDefault) ?? false
    {
      context.store.noteLacking(model, schema, newest)
    }
    return madeDefault(schema, declared, context)
  }

  /// Returns the default that this process has made for the object, or that a later version has, or
  /// else a new one. Each read of one version returns the same one.
  private func madeDefault(
    _ schema: ClassSchema, _ property: PropertyDescription, _ context: ReadContext
  ) -> Value {
    let made = context.store.madeDefaults
    let key = MadeDefaults.Key(
      object: RowKey(classID: schema.id, objectID: id), propertyName: property.name)
    let transaction = transactionID(context)
    while true {
      if let value = made.made(key, in: transaction) { return value }
      let sealCount = context.transaction == nil ? made.sealCount : nil
      if context.transaction == nil, let value = laterDefault(property, context) { return value }
      let value = made.value(key, in: transaction, after: sealCount) {
        property.makeDefault()
      }
      if let value { return value }
    }
  }

  /// Returns the default that the newest version has; nil if it lacks it, too.
  private func laterDefault(_ property: PropertyDescription, _ context: ReadContext) -> Value? {
    guard let newest = try? context.store.newestSnapshot(),
      let schema = context.store.schema.schema(named: binding.model.name),
      let stored = schema.property(named: property.name), stored.kind == property.kind,
      newest.root.schemaGeneration >= context.store.schemaGeneration,
      let value = try? newest.value(schema, id, stored)
    else { return nil }
    return stored.lacksDefault(value) ? nil : value
  }

  /// The version that a context reads; in a write, the one that it began from.
  private func transactionID(_ context: ReadContext) -> UInt64 {
    if let transaction = context.transaction { return transaction.base.transactionID }
    if let frozen = context.hotFrozen {
      return frozen._withUnsafeGuaranteedRef { $0.transactionID }
    }
    return context.view?.pin.moving.retained().transactionID ?? .max
  }

  /// Returns the declaration of a property in the handle's class; for a class that is known only at
  /// run time, in the program's class with the name. Nil if the program declares neither.
  private func declaration(
    of property: StoredProperty
  ) -> (ClassDescription, PropertyDescription)? {
    let model = binding.model
    if model.isDynamic { return UsedClasses.declaration(of: property, ofClass: model.name) }
    return model.properties.first { $0.name == property.name }.map { (model, $0) }
  }

  /// Whether the object may lack the default of a property.
  @inline(__always)
  func mayLackDefault(_ slot: Int) -> Bool {
    binding.mayLackDefaults && binding.properties[slot]?.mayLackDefault ?? false
  }

  /// Whether bytes that are read by the layout of the binding may be the mark of a missing default.
  /// The general path, ``value(_:)``, never returns one.
  @inline(__always)
  var mayReadMark: Bool { _slowPath(binding.mayLackDefaults) }

  /// Lends the bytes of a property whose default the object may lack: a copy of the default.
  @inline(never)
  func lendPossiblyMissing(
    _ slot: Int, _ context: ReadContext, _ range: Range<Int>, _ isJoined: Bool
  ) -> LentBytes? {
    do throws(Failure) {
      return try LentBytes.copy(of: value(slot), in: range)
    } catch {
      context.store.markDamaged(error.message)
      return nil
    }
  }
}
