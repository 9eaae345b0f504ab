import VarveCore
import VarveEncoding

/// The rows that one call of ``Realm/insert(_:update:)`` stores, one after the other. Generated code
/// passes the values of each row: first it begins the row with the primary key, then it puts the
/// values in the order of the slots.
///
/// A row of plain values, which are neither links nor mixed nor collections, is filled as they are
/// passed. Everything else is collected first, and stored when the row is complete.
///
/// Between the begin of a row and its end no code of the program runs, which could write another row.
public struct _NewRow {
  /// How the rows of a class are stored.
  enum Strategy {
    /// The values are written as they are passed.
    case direct
    /// The values are collected first.
    case collected
    /// An object is created and added: one with embedded objects or collections of mixed values, of
    /// a class with properties that the model does not know, or whose key is named by a method.
    case object
  }

  /// What happens to the values that are passed.
  private enum State {
    /// They are ignored, because the write has failed.
    case stopped
    case filling
    case collecting
  }

  let realm: Realm
  let info: ClassInfo
  let policy: Realm.UpdatePolicy
  /// Whether the values are those of all stored properties of the class.
  private let isComplete: Bool
  private var state = State.stopped
  private var strategy = Strategy.object
  /// The template for which `strategy` was chosen.
  private var template: UnsafePointer<RowTemplate>?
  /// The slot of the key that rows are begun with; -1 for none.
  private var keySlot = -1

  // The row that is being filled.

  // Safe because the store keeps the transaction until the thread ends it, and code that could end
  // it runs only between two rows.
  private var transaction: Unmanaged<Transaction>?
  private var field: UnsafePointer<RowTemplate.Field>?
  private var fieldsLeft = 0
  private var id: UInt64 = 0
  /// The values of the row that is being collected; created at the first use.
  private var collected: CollectedRow?

  /// The number of rows that were stored.
  public private(set) var _$storedCount = 0

  /// - Precondition: The thread is inside a write.
  public init(
    _ realm: Realm, _ type: Object.Type, valueCount: Int, _ policy: Realm.UpdatePolicy
  ) {
    self.realm = realm
    self.policy = policy
    info = ClassInfo.of(type)
    isComplete = valueCount == info.properties.count { $0.originProperty == nil }
    _ = realm.writingTransaction()
  }

  // MARK: Beginning

  /// Returns the default of a property of the class. It may run code of the program.
  public func _$default(_ slot: Int) -> _Boxed {
    info.constantDefaults[slot] ?? info.properties[slot].makeDefault()
  }

  /// Begins a row of a class without a primary key.
  public mutating func _$begin() { begin(-1, nil) }

  /// Begins a row.
  public mutating func _$begin(_ slot: Int, _ key: Int) { begin(slot, .int(Int64(key))) }

  /// Begins a row.
  public mutating func _$begin(_ slot: Int, _ key: String) { begin(slot, .string(key)) }

  /// Begins a row.
  public mutating func _$begin<Key: _Persistable>(_ slot: Int, _ key: Key) {
    begin(slot, key._$boxed.value ?? .null)
  }

  /// Begins a row.
  public mutating func _$begin(_ slot: Int, _ key: _Boxed) { begin(slot, key.value ?? .null) }

  /// Accepts a key that cannot be stored, whose property reports the error.
  @_disfavoredOverload
  public mutating func _$begin<Key>(_ slot: Int, _ key: Key) {}

  private mutating func begin(_ slot: Int, _ key: Value?) {
    state = .stopped
    // The program may have ended the write since the last row.
    guard let transaction = realm.first.transactionReference ?? slowTransaction() else { return }
    self.transaction = transaction
    transaction._withUnsafeGuaranteedRef { begin(slot, key, in: $0) }
  }

  private func slowTransaction() -> Unmanaged<Transaction>? {
    realm.writingTransaction().map { .passUnretained($0) }
  }

  private mutating func begin(_ slot: Int, _ key: Value?, in transaction: Transaction) {
    guard transaction.beginOperation() else { return transaction.recordFailedEngine() }
    do throws(Failure) {
      let template = try transaction.rowTemplate(for: info.descriptionReference)
      if template != self.template { choose(template, keySlot: slot) }
      guard strategy == .direct, try !isStored(key, template, transaction) else {
        if collected == nil { collected = CollectedRow(info) }
        state = .collecting
        return
      }
      id = try transaction.newID(template, key: key)
      transaction.beginRow(template)
      field = template.pointee.firstField
      fieldsLeft = template.pointee.fieldCount
      state = .filling
    } catch {
      fail(error, in: transaction)
    }
  }

  /// Chooses how rows are stored from now on.
  private mutating func choose(_ template: UnsafePointer<RowTemplate>, keySlot: Int) {
    self.template = template
    self.keySlot = keySlot
    strategy = chosenStrategy(template, keySlot: keySlot)
  }

  private func chosenStrategy(_ template: UnsafePointer<RowTemplate>, keySlot: Int) -> Strategy {
    guard isComplete, keySlot == template.pointee.keySlot else { return .object }
    if template.pointee.isPlain { return .direct }
    guard !template.pointee.hasUnknownProperties else { return .object }
    for field in template.pointee.fields {
      switch field.content {
      case .value, .link, .collection: continue
      case .linkOrMixed where info.properties[field.slot].type.kind.type == .mixed: continue
      case .linkOrMixed, .lateCollection: return .object
      }
    }
    return .collected
  }

  /// Whether an update policy applies to the row, because an object has its primary key.
  private func isStored(
    _ key: @autoclosure () -> Value?, _ template: UnsafePointer<RowTemplate>,
    _ transaction: Transaction
  ) throws(Failure) -> Bool {
    guard policy != .error else { return false }
    guard info.description.primaryKeySlot != nil else {
      throw Failure(
        .noPrimaryKey, "The class has no primary key and cannot be updated.", className: info.name)
    }
    guard let key = key(), !(template.pointee.generatesKeys && key == .int(0)) else { return false }
    return try transaction.object(
      template.pointee.schema.takeUnretainedValue(), primaryKey: key) != nil
  }

  // MARK: Filling

  /// Returns the field of a slot in the row that is being filled; nil where there is none, as for an
  /// integer primary key. The slots ascend from call to call.
  @inline(__always)
  mutating func fieldToFill(_ slot: Int) -> UnsafePointer<RowTemplate.Field>? {
    while fieldsLeft > 0, let next = field, next.pointee.slot <= slot {
      field = next + 1
      fieldsLeft -= 1
      if next.pointee.slot == slot { return next }
    }
    return nil
  }

  /// Puts a value, with `fill` if it can be written as it is.
  ///
  /// - Parameters:
  ///   - slot: The slot of the property.
  ///   - value: The value.
  ///   - fill: Writes the value of a field without an index. Returns whether it has.
  @inline(__always)
  mutating func put(
    _ slot: Int, _ value: @autoclosure () -> Value,
    _ fill: (Transaction, UnsafePointer<RowTemplate.Field>) -> Bool
  ) {
    guard _fastPath(state == .filling) else { return collect(slot, _Boxed(value())) }
    guard let field = fieldToFill(slot), let transaction else { return }
    if transaction._withUnsafeGuaranteedRef({ fill($0, field) }) { return }
    self.fill(field, value())
  }

  /// Puts a value in its type-erased form.
  mutating func put(_ slot: Int, box: _Boxed) {
    guard state == .filling else { return collect(slot, box) }
    guard let field = fieldToFill(slot) else { return }
    fill(field, box.value ?? .null)
  }

  private mutating func fill(_ field: UnsafePointer<RowTemplate.Field>, _ value: Value) {
    guard let transaction, let template else { return }
    if field.pointee.isNullAtFirst, value.isNull { return }
    transaction._withUnsafeGuaranteedRef { transaction in
      do throws(Failure) {
        try transaction.fill(field, value, object: id, template)
      } catch {
        fail(error, in: transaction)
      }
    }
  }

  private mutating func collect(_ slot: Int, _ box: _Boxed) {
    if state == .collecting { collected?.set(slot, box) }
  }

  /// The row whose values are collected; nil for a row that is being filled or is not stored.
  var collecting: CollectedRow? { state == .collecting ? collected : nil }

  // MARK: Storing

  /// Stores the row that was begun.
  ///
  /// - Returns: Whether the row is stored. False once the transaction has failed.
  public mutating func _$insert() -> Bool {
    switch state {
    case .stopped: return false
    case .filling:
      guard insertFilled() else { return false }
    case .collecting:
      guard insertCollected() else { return false }
    }
    _$storedCount += 1
    return true
  }

  @inline(__always)
  private mutating func insertFilled() -> Bool {
    guard let transaction, let template else { return false }
    return transaction._withUnsafeGuaranteedRef { transaction in
      do throws(Failure) {
        try transaction.insertRow(template, id)
        return true
      } catch {
        fail(error, in: transaction)
        return false
      }
    }
  }

  private mutating func insertCollected() -> Bool {
    // Code of the program that converted elements may have ended the write or changed the class.
    guard let collected, let running = realm.first.transactionReference ?? slowTransaction() else {
      return false
    }
    self.transaction = running
    defer { collected.clear() }
    guard !running._withUnsafeGuaranteedRef({ $0.hasFailure }) else { return false }
    let (index, context) = (_$storedCount, realm.context)
    let transaction = running.takeUnretainedValue()
    let isStored: Void? = transaction.attempt { () throws(Failure) in
      do throws(Failure) {
        try store(collected, transaction, context)
      } catch {
        throw error.ofRow(at: index)
      }
    }
    return isStored != nil
  }

  private mutating func store(
    _ row: CollectedRow, _ transaction: Transaction, _ context: ReadContext
  ) throws(Failure) {
    try row.checkLinks()
    let template = try transaction.rowTemplate(for: info.descriptionReference)
    if template != self.template { choose(template, keySlot: keySlot) }
    if strategy == .object || row.hasNestedCollections {
      return try row.add(transaction, context, policy)
    }
    guard try !isStored(row.key, template, transaction) else {
      return try row.add(transaction, context, policy)
    }
    try row.insert(template, transaction)
  }

  private mutating func fail(_ failure: Failure, in transaction: Transaction) {
    state = .stopped
    transaction.fail(failure.ofRow(at: _$storedCount))
  }
}

extension Failure {
  /// Returns the failure with the position of the values in their sequence.
  fileprivate func ofRow(at index: Int) -> Failure {
    var failure = self
    failure.details.append("index \(index)")
    return failure
  }
}

extension Transaction {
  /// Records a failure of the engine that no operation has noticed yet.
  fileprivate func recordFailedEngine() {
    if !hasFailure { attempt {} }
  }
}
