import VarveEncoding
import VarveStorage

/// Stores the defaults that objects of one version lack.
struct DefaultRun {
  /// What a version says about the objects that later ones may have.
  struct Version {
    let transactionID: UInt64
    /// The id of the next object that is inserted into a class whose object ids ascend.
    let nextObjectID: UInt64

    init(_ snapshot: Snapshot) {
      transactionID = snapshot.transactionID
      nextObjectID = snapshot.root.nextObjectID
    }
  }

  private let store: Store
  private let watch: WorkWatch
  private let timeout: Duration?
  private let version: Version
  /// The objects that lack defaults, by class.
  private let lacking: [(model: ClassDescription, ids: [UInt64])]
  /// Whether objects lack defaults that no class of the program declares.
  private let lacksOthers: Bool
  /// The names of the properties whose defaults the run stores, by the ids of their classes.
  private let covered: [UInt32: Set<String>]
  /// The transaction up to which no object lacks a default, apart from those that are being filled;
  /// 0 when another write has committed in between.
  private var reached: UInt64

  /// Finds the objects that lack defaults.
  ///
  /// - Parameters:
  ///   - models: The classes of the program that may lack defaults.
  ///   - firstID: The first object to look at in a class whose object ids ascend.
  ///   - snapshot: The version, which is released at the end.
  ///   - timeout: The longest wait for the write lock; nil for that of the store.
  ///   - watch: Ends the search, and the run.
  /// - Complexity: O(objects from `firstID`).
  init(
    of models: [ClassDescription], from firstID: UInt64, in snapshot: consuming Snapshot,
    of store: Store, _ watch: WorkWatch, _ timeout: Duration?
  ) throws(Failure) {
    let schema = store.schema
    var lacking: [(ClassDescription, [UInt64])] = []
    var covered: [UInt32: Set<String>] = [:]
    for model in models {
      let ids = try snapshot.objectsLackingDefaults(model, schema, from: firstID, watch)
      if !ids.isEmpty { lacking.append((model, ids)) }
      if let id = schema.schema(named: model.name)?.id {
        covered[id, default: []].formUnion(model.properties.map(\.name))
      }
    }
    lacksOthers = try snapshot.lacksDefaults(unknownTo: models, schema, watch)
    self.lacking = lacking
    self.covered = covered
    version = Version(snapshot)
    reached = version.transactionID
    self.store = store
    self.watch = watch
    self.timeout = timeout
  }

  /// Stores the defaults, and notes in the file that none is missing, unless there are newer commits.
  ///
  /// - Throws: The first failure. The defaults of other objects are stored all the same.
  mutating func fill() throws {
    var failure: (any Error)?
    for (model, ids) in lacking {
      do { try fill(model, ids[...]) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    guard !watch.isStopped else { return }
    store.madeDefaults.settle(
      upTo: version.transactionID, in: try store.newestSnapshot().transactionID, store.schema
    ) { covered[$0.object.classID]?.contains($0.propertyName) ?? false }
    if !lacksOthers { try noteInFile() }
  }

  /// Stores the defaults of one class in parts, so that other writes wait briefly.
  private mutating func fill(_ model: ClassDescription, _ ids: ArraySlice<UInt64>) throws {
    var rest = ids
    var failure: (any Error)?
    while !rest.isEmpty, !watch.isStopped {
      let part = rest.prefix(10_000)
      rest = rest.dropFirst(part.count)
      do {
        let base = try write { transaction in
          for id in part {
            try watch.check(path: store.options.path)
            try transaction.fillLacking(model, id)
          }
          return transaction.base.transactionID
        }
        settle(part, of: model, in: base)
        reached = base == reached ? base + 1 : 0
      } catch {
        reached = 0
        guard (error as? Failure)?.code == .duplicateValue else { throw error }
        guard part.count > 1 else {
          for id in part { forget(model, id) }
          throw error
        }
        // A default that is refused, such as one that is not unique, stops no other object.
        let middle = part.startIndex + part.count / 2
        for half in [part[..<middle], part[middle...]] {
          do { try fill(model, half) } catch { failure = error }
        }
      }
    }
    if let failure { throw failure }
  }

  /// Notes that the defaults of objects of a class are stored.
  private func settle(_ ids: ArraySlice<UInt64>, of model: ClassDescription, in base: UInt64) {
    let schema = store.schema
    guard let classID = schema.schema(named: model.name)?.id else { return }
    let ids = Set(ids)
    let names = Set(model.properties.map(\.name))
    store.madeDefaults.settle(upTo: base, in: base + 1, schema) {
      $0.object.classID == classID && ids.contains($0.object.objectID)
        && names.contains($0.propertyName)
    }
  }

  private func noteInFile() throws {
    try write { transaction in
      guard transaction.base.transactionID == reached,
        !transaction.storage.root.hasAllDefaults
      else { return }
      transaction.storage.root.hasAllDefaults = true
    }
  }

  private func write<R>(_ body: (Transaction) throws -> R) throws -> R {
    try store.write(view: nil, watch, timeout: timeout, body)
  }

  /// Forgets the defaults of an object that may have been refused: the next run makes others.
  private func forget(_ model: ClassDescription, _ id: UInt64) {
    guard let schema = store.schema.schema(named: model.name) else { return }
    let key = RowKey(classID: schema.id, objectID: id)
    for property in schema.properties where schema.hasUniqueIndex(on: property) {
      store.madeDefaults.remove(MadeDefaults.Key(object: key, propertyName: property.name))
    }
  }
}
