import VarveCore
import VarveEncoding

/// Changes objects as documents say.
///
/// All objects are found and checked first (``PatchPlan``). Then, in the order of the documents, new
/// objects with primary keys are added with their plain values, so that links in any direction find
/// them, and values in unique indexes are set, so that one document can set a value that an earlier
/// one releases. The other properties follow, in the same order. Values that are equal are not set.
///
/// Thread safety: none. A writer is used within one call.
struct PatchWriter {
  let plan: PatchPlan
  /// The realm that is written to; nil while an unmanaged object is changed.
  let realm: Realm?
  /// The objects of the plan's entries.
  private(set) var objects: [ObjectBase] = []

  private init(_ plan: PatchPlan) {
    self.plan = plan
    realm = plan.realm
  }

  /// Applies a document to an object.
  ///
  /// - Throws: The errors of ``PatchPlan``, before the first change. A failure of the transaction.
  static func apply(
    _ document: PatchDocument, to object: ObjectBase, in realm: Realm?
  ) throws(Failure) {
    var plan = PatchPlan(for: realm)
    try plan.collect(document, about: object)
    try checkTransaction(of: realm)
    var writer = PatchWriter(plan)
    try writer.addObjects()
    try writer.setOtherProperties()
    if object.info.description.primaryKeySlot == nil { try writer.set(document, of: object) }
    try checkTransaction(of: realm)
  }

  /// Changes or inserts the objects of documents.
  ///
  /// - Returns: The object of each document.
  /// - Throws: The errors of ``PatchPlan``, before the first change. A failure of the transaction.
  static func upsert(
    _ documents: [PatchDocument], in realm: Realm
  ) throws(Failure) -> [ObjectBase] {
    try checkTransaction(of: realm)
    var plan = PatchPlan(for: realm)
    try plan.collect(documents)
    try checkTransaction(of: realm)
    var writer = PatchWriter(plan)
    try writer.addObjects()
    try writer.setOtherProperties()
    var objects: [ObjectBase] = []
    for document in documents { objects.append(try writer.object(of: document)) }
    try checkTransaction(of: realm)
    return objects
  }

  /// Throws the failure of the running transaction.
  private static func checkTransaction(of realm: Realm?) throws(Failure) {
    if let failure = realm?.writingTransaction()?.failure { throw failure }
  }

  /// Adds new objects, and sets the values in unique indexes.
  private mutating func addObjects() throws(Failure) {
    for (index, document) in plan.steps {
      if index == objects.count {
        let entry = plan.entries[index]
        if let object = entry.object {
          objects.append(object)
        } else {
          objects.append(try added(entry.type, entry.key, entry.documents))
        }
      }
      try set(document, of: objects[index], .unique)
    }
  }

  private func setOtherProperties() throws(Failure) {
    for (index, document) in plan.steps { try set(document, of: objects[index], .others) }
  }

  /// Returns a new object with the plain values of documents, added to the realm. Of several values
  /// of a property it has the first, as the others are set later.
  private func added(
    _ type: ObjectBase.Type, _ key: Value?, _ documents: [PatchDocument]
  ) throws(Failure) -> ObjectBase {
    let object = type.init()
    let info = object.info
    for document in documents.reversed() {
      for (slot, content) in document.properties {
        guard case .value(let value) = content, info.properties[slot].type.kind.collection == .none
        else { continue }
        object._$setBoxed(slot, _Boxed(value))
      }
    }
    if let key, let slot = info.description.primaryKeySlot { object._$setBoxed(slot, _Boxed(key)) }
    if let realm, let object = object as? Object {
      realm.add(object)
      try Self.checkTransaction(of: realm)
    } else {
      object.markPartial()
    }
    return object
  }

  /// Returns the object of a document of a linked object. One without a key is new.
  func object(of document: PatchDocument) throws(Failure) -> ObjectBase {
    if let key = document.key, let index = plan.index(of: document.type, key) {
      return objects[index]
    }
    let object = try added(document.type, nil, [document])
    try set(document, of: object)
    return object
  }
}
